import { Grid, GridItem, PageSection } from '@patternfly/react-core';
import { Link, useParams } from 'react-router';
import type { ClusterInstance } from '../../api/find-types.ts';
import { InstanceExternalLinks } from '../../components/external-links.tsx';
import { Facts } from '../../components/facts.tsx';
import { HostLink, shortId } from '../../components/links.tsx';
import { MoveHistory, useMaySeeMoves } from '../../components/move-history.tsx';
import { roundedText } from '../../components/number-text.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { RangeChoice, useChartRange } from '../../components/range-choice.tsx';
import { SeriesChart } from '../../components/series-chart.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { Failure, Loading } from '../../components/states.tsx';
import { Time, zoneName } from '../../components/time.tsx';
import { TitledCard } from '../../components/titled-card.tsx';
import { whatIfPath } from '../../components/what-if-path.ts';
import { useMay } from '../../live/dashboard-context.tsx';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { richText } from '../../texts/rich-text.tsx';
import { text } from '../../texts/texts.ts';
import { InstanceState } from './instance-state.tsx';
import { KeepHere } from './keep-here.tsx';
import { PlacementReason } from './placement-reason.tsx';

type Instance = ClusterInstance['instance'];

/** One instance: the reason for its host, its migration history, and the constraints on its placement. */
export function InstancePage() {
  const { uuid = '' } = useParams();
  const response = useStreamQuery<ClusterInstance>(`cluster/instances/${encodeURIComponent(uuid)}`, ['data_model']);
  const instance = response.data?.instance;
  const above = [
    { title: text('page.cluster'), to: '/cluster' },
    ...(instance?.hostname
      ? [{ title: instance.hostname, to: `/cluster/hosts/${encodeURIComponent(instance.hostname)}` }]
      : []),
  ];
  return (
    <>
      <PageHeader
        title={instance?.name ?? text('instance.title', { id: shortId(uuid) })}
        above={above}
        label={instance && <StateLabel state={instance.state} />}
        actions={instance && <KeepHere instance={instance} />}
      >
        {instance && (
          <>
            {instance.hostname
              ? richText('instance.on', { host: <HostLink hostname={instance.hostname} /> })
              : text('instance.onNone')}
            . <InstanceExternalLinks uuid={uuid} name={instance.name} />
          </>
        )}
      </PageHeader>
      <PageSection hasBodyWrapper={false}>
        {response.isPending && <Loading what={text('column.instance')} as="drawing" />}
        {response.isError && !instance && (
          <Failure title={text('instance.unreadable')} error={response.error} onRetry={() => void response.refetch()} />
        )}
        {instance && <Parts instance={instance} />}
      </PageSection>
    </>
  );
}

function Parts({ instance }: { instance: Instance }) {
  const maySeeMoves = useMaySeeMoves();
  const { range, setRange, query } = useChartRange();
  return (
    <Grid hasGutter>
      <GridItem xl={6}>
        <TitledCard isFullHeight title={text('instance.why')}>
          <PlacementReason instance={instance} />
          <Facts facts={factsOf(instance)} />
        </TitledCard>
      </GridItem>
      <GridItem xl={6}>
        <TitledCard isFullHeight title={text('instance.load', { zone: zoneName() })}>
          <RangeChoice range={range} setRange={setRange} />
          <SeriesChart
            title={text('charts.loadOf', { name: instance.name })}
            path={`history/instances/${instance.uuid}`}
            query={query}
          />
        </TitledCard>
      </GridItem>
      <InstanceState uuid={instance.uuid} />
      {maySeeMoves && (
        <GridItem>
          <TitledCard title={text('instance.moves')}>
            <MoveHistory of={{ instance: instance.uuid }} />
          </TitledCard>
        </GridItem>
      )}
    </Grid>
  );
}

function FlavorFact({ flavor }: { flavor: string }) {
  const canRequest = useMay('data_model:what_if');
  return (
    <>
      <span data-literal>{flavor}</span>{' '}
      {canRequest && <Link to={whatIfPath({ question: 'place', flavor })}>{text('whatIf.ofFlavor')}</Link>}
    </>
  );
}

function factsOf(instance: Instance) {
  const {
    flavor,
    vcpus,
    memory,
    disk,
    project_id: project,
    created,
    pinned_zone: zone,
    rules,
    locked,
    busy,
  } = instance;
  const group = instance.server_group === null ? '–' : (instance.group_policy ?? 'yes');
  return [
    [text('instance.flavor'), flavor === null ? '–' : <FlavorFact key="flavor" flavor={flavor} />],
    [text('instance.size'), text('instance.sizeOf', { count: vcpus, memory: roundedText(memory / 1024, 1), disk })],
    [text('session.project'), <code key="project">{project}</code>],
    [text('column.created'), <Time key="created" at={created} isFull />],
    [text('instance.group'), group],
    [text('instance.zone'), zone ?? '–'],
    [
      text('instance.held'),
      [locked && text('common.locked'), busy && text('common.busy')].filter(Boolean).join(', ') || '–',
    ],
    [
      text('instance.rules'),
      rules.length === 0
        ? '–'
        : rules.map((rule) => (
            <Link key={rule} to={`/rules?search=${encodeURIComponent(rule)}`} className="vigil-listed">
              {rule}
            </Link>
          )),
    ],
  ] as const;
}
