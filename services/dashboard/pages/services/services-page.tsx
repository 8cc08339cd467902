import { Content, Flex, PageSection } from '@patternfly/react-core';
import { useMemo } from 'react';
import type { ServiceEvent, ServiceEventList, ServiceList, ServiceRow } from '../../api/internal-types.ts';
import { timeColumn } from '../../components/columns.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PageTabs } from '../../components/page-tabs.tsx';
import { Prose } from '../../components/prose.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import { fullTime, millisOf, Time } from '../../components/time.tsx';
import { ValueList } from '../../components/value-list.tsx';
import { Alert } from '../../components/worded-parts.tsx';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { wordsOf } from '../../texts/api-names.ts';
import { text } from '../../texts/texts.ts';
import { ResourceGraph } from './resource-graph.tsx';

/** The processes of the deployment: desired and observed states, their hosts and their events. */
export function ServicesPage() {
  return (
    <>
      <PageHeader title={text('page.services')}>{text('services.hint')}</PageHeader>
      <PageSection hasBodyWrapper={false}>
        <PageTabs
          label={text('common.parts')}
          tabs={[
            { key: 'services', title: text('page.services'), render: () => <ServiceTable /> },
            { key: 'graph', title: text('services.graph'), render: () => <ResourceGraph /> },
            { key: 'events', title: text('services.events'), render: () => <EventTable /> },
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
    const request = (row: ServiceRow, what: 'restart' | 'stop') =>
      internal(`services/${encodeURIComponent(row.instance.instance_id)}/${what}`, { method: 'POST' });
    return [
      { title: text('services.service'), name: 'service', value: (row) => row.name },
      { title: text('column.host'), name: 'host', value: (row) => row.host },
      {
        title: text('services.status'),
        name: 'status',
        value: (row) => row.status,
        render: (row) => (
          <div>
            <StateLabel state={row.degraded ? 'Degraded' : row.status} />
            <StatusNote row={row} />
          </div>
        ),
      },
      {
        title: text('services.version'),
        name: 'version',
        isNumber: false,
        value: (row) => row.instance.version,
      },
      { title: 'PID', isNumber: false, value: (row) => row.instance.pid },
      timeColumn(text('services.since'), 'since', (row) => row.instance.started_at),
      {
        title: text('column.actions'),
        render: (row) =>
          mayWrite && (
            <Flex gap={{ default: 'gapSm' }}>
              <ConfirmButton
                label={text('services.restart')}
                title={text('services.confirmRestart', { name: row.name, host: row.host })}
                run={() => request(row, 'restart')}
                done={text('services.restarted')}
                variant="link"
              >
                {text('services.restartHint')}
              </ConfirmButton>
              <ConfirmButton
                label={text('services.stop')}
                title={text('services.confirmStop', { name: row.name, host: row.host })}
                run={() => request(row, 'stop')}
                done={text('services.stopped')}
                variant="link"
                isDestructive
              >
                {text('services.stopHint')}
              </ConfirmButton>
            </Flex>
          ),
      },
    ];
  }, [internal, mayWrite]);
  if (services.isPending) return <Loading what={text('page.services')} as="table" />;
  if (!services.data)
    return (
      <Failure title={text('services.unreadable')} error={services.error} onRetry={() => void services.refetch()} />
    );
  const faults = services.data.services.flatMap(({ name, host, plugin_faults: own }) =>
    own.map(({ plugin, reason }) => ({ at: text('services.onHost', { name, host }), plugin, reason })),
  );
  return (
    <>
      {faults.map(({ at, plugin, reason }) => (
        <Alert
          key={`${at} ${plugin}`}
          isInline
          variant="warning"
          title={text('services.withoutPlugin', { at, plugin })}
        >
          {reason}
        </Alert>
      ))}
      <DataTable
        label={text('page.services')}
        rows={services.data.services}
        columns={columns}
        rowKey={(row) => `${row.name}@${row.host}`}
        empty={<Nothing title={text('services.none')} />}
      />
    </>
  );
}

/** Explanation of a status other than running. */
function StatusNote({ row }: { row: ServiceRow }) {
  const note = statusText(row);
  const hasEnded = row.status === 'NotRunning' || row.status === 'Failed';
  const reason = note === null && hasEnded ? row.instance.end_reason : null;
  if (note === null && reason === null) return null;
  return <Content component="small">{note ?? <Prose text={reason ?? ''} />}</Content>;
}

function statusText({ status, degraded, instance }: ServiceRow): string | null {
  if (degraded) return text('services.failing');
  if (status === 'StillRunning') return text('services.stopRequested');
  return status === 'Running' && !instance.accepts_work ? text('services.badVersion') : null;
}

const eventColumns = (): Column<ServiceEvent>[] => [
  {
    title: text('column.when'),
    name: 'when',
    isWhole: true,
    value: (event) => millisOf(event.at),
    render: (event) => (
      <div>
        <Time at={event.at} />
        <Content component="small">{fullTime(event.at)}</Content>
      </div>
    ),
  },
  {
    title: text('services.event'),
    name: 'event',
    isWhole: true,
    value: (event) => event.type,
    render: (event) => eventText(event.type),
  },
  {
    title: text('services.service'),
    name: 'service',
    value: (event) => event.service,
  },
  { title: text('column.host'), name: 'host', value: (event) => event.host },
  {
    title: text('services.detail'),
    name: 'detail',
    value: (event) => JSON.stringify(event.doc),
    render: (event) => <ValueList values={event.doc} />,
  },
];

/** `service.config_changed` in words, without the service: all events here are about services. */
function eventText(type: string): string {
  return wordsOf(type.replace(/^service\./, ''));
}

function EventTable() {
  const events = useStreamQuery<ServiceEventList>('services/events?limit=200', ['service_instance']);
  if (events.isPending) return <Loading what={text('services.events')} />;
  if (!events.data) return <Failure title={text('services.eventsUnreadable')} error={events.error} />;
  return (
    <DataTable
      label={text('services.events')}
      name="events"
      rows={events.data.events}
      columns={eventColumns()}
      rowKey={(event) => String(event.id)}
      sortBy={{ index: 0, direction: 'desc' }}
    />
  );
}
