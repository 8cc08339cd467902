import { Alert, Content, Flex, PageSection } from '@patternfly/react-core';
import { useMemo } from 'react';
import { wordsOf } from '#libs/client';
import type { ServiceEvent, ServiceEventList, ServiceList, ServiceRow } from '../../api/internal-types.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PageTabs } from '../../components/page-tabs.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import { fullTime, millisOf, Time } from '../../components/time.tsx';
import { ValueList } from '../../components/value-list.tsx';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { ResourceGraph } from './resource-graph.tsx';

/** The processes of the deployment: desired against observed, what they belong to, and what happened to them. */
export function ServicesPage() {
  return (
    <>
      <PageHeader title="Services">Processes of Vigil on every host, as they are and as they should be.</PageHeader>
      <PageSection hasBodyWrapper={false}>
        <PageTabs
          label="Parts of the page"
          tabs={[
            { key: 'services', title: 'Services', render: () => <ServiceTable /> },
            { key: 'graph', title: 'Resource graph', render: () => <ResourceGraph /> },
            { key: 'events', title: 'Events', render: () => <EventTable /> },
          ]}
        />
      </PageSection>
    </>
  );
}

function ServiceTable() {
  const { internal } = useDashboard();
  const mayWrite = useMay('internal:write');
  const services = useStreamQuery<ServiceList>('services', ['service_instance']);
  const columns = useMemo<Column<ServiceRow>[]>(() => {
    const ask = (row: ServiceRow, what: 'restart' | 'stop') =>
      internal(`services/${encodeURIComponent(row.instance.instance_id)}/${what}`, { method: 'POST' });
    return [
      { title: 'Service', value: (row) => row.name, render: (row) => row.name },
      { title: 'Host', value: (row) => row.host, render: (row) => row.host },
      {
        title: 'Status',
        value: (row) => row.status,
        render: (row) => (
          <div>
            <StateLabel state={row.degraded ? 'Degraded' : row.status} />
            {statusText(row) && <Content component="small">{statusText(row)}</Content>}
          </div>
        ),
      },
      { title: 'Version', value: (row) => row.instance.version, render: (row) => row.instance.version },
      { title: 'PID', value: (row) => row.instance.pid, render: (row) => row.instance.pid },
      {
        title: 'Since',
        value: (row) => millisOf(row.instance.started_at),
        render: (row) => <Time at={row.instance.started_at} />,
      },
      {
        title: 'Actions',
        render: (row) =>
          mayWrite && (
            <Flex gap={{ default: 'gapSm' }}>
              <ConfirmButton
                label="Restart"
                title={`Restart ${row.name} on ${row.host}?`}
                run={() => ask(row, 'restart')}
                done="The restart has been asked for"
                variant="link"
              >
                What it works on is taken over or goes on after the restart.
              </ConfirmButton>
              <ConfirmButton
                label="Stop"
                title={`Stop ${row.name} on ${row.host}?`}
                run={() => ask(row, 'stop')}
                done="The stop has been asked for"
                variant="link"
                isDestructive
              >
                Nothing starts it again until somebody asks for it.
              </ConfirmButton>
            </Flex>
          ),
      },
    ];
  }, [internal, mayWrite]);
  if (services.isPending) return <Loading what="services" />;
  if (!services.data)
    return (
      <Failure title="The services can not be read" error={services.error} onRetry={() => void services.refetch()} />
    );
  const faults = services.data.services.flatMap(({ name, host, plugin_faults: own }) =>
    own.map(({ plugin, reason }) => ({ at: `${name} on ${host}`, plugin, reason })),
  );
  return (
    <>
      {faults.map(({ at, plugin, reason }) => (
        <Alert key={`${at} ${plugin}`} isInline variant="warning" title={`${at} works without the plugin ${plugin}`}>
          {reason}
        </Alert>
      ))}
      <DataTable
        label="Services"
        rows={services.data.services}
        columns={columns}
        rowKey={(row) => `${row.name}@${row.host}`}
        empty={<Nothing title="No service has registered" />}
      />
    </>
  );
}

/** What is behind a status that is not simply running. */
function statusText({ status, degraded, instance }: ServiceRow): string | null {
  if (degraded) return 'fails again and again; nothing restarts it by itself';
  if (status === 'Running') return instance.accepts_work ? null : 'takes no work: its version does not fit';
  if (status === 'StillRunning') return 'was asked to stop';
  return instance.end_reason;
}

const eventColumns: Column<ServiceEvent>[] = [
  {
    title: 'When',
    isWhole: true,
    value: (event) => millisOf(event.at),
    render: (event) => (
      <div>
        <Time at={event.at} />
        <Content component="small">{fullTime(event.at)}</Content>
      </div>
    ),
  },
  { title: 'Event', isWhole: true, value: (event) => event.type, render: (event) => eventText(event.type) },
  { title: 'Service', value: (event) => event.service, render: (event) => event.service },
  { title: 'Host', value: (event) => event.host, render: (event) => event.host },
  {
    title: 'Detail',
    value: (event) => JSON.stringify(event.doc),
    render: (event) => <ValueList values={event.doc} />,
  },
];

/** `service.config_changed` in words: everything here is about a service. */
function eventText(type: string): string {
  return wordsOf(type.replace(/^service\./, ''));
}

function EventTable() {
  const events = useStreamQuery<ServiceEventList>('services/events?limit=200', ['service_instance']);
  if (events.isPending) return <Loading what="events" />;
  if (!events.data) return <Failure title="The events can not be read" error={events.error} />;
  return (
    <DataTable
      label="Events"
      name="events"
      rows={events.data.events}
      columns={eventColumns}
      rowKey={(event) => String(event.id)}
      sortBy={{ index: 0, direction: 'desc' }}
    />
  );
}
