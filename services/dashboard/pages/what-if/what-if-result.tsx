import { Grid, GridItem } from '@patternfly/react-core';
import type { WhatIf, WhatIfRequest } from '#libs/client';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { HostLink, InstanceLink } from '../../components/links.tsx';
import { gibText, numberText, roundedText } from '../../components/number-text.ts';
import { Prose } from '../../components/prose.tsx';
import { Time } from '../../components/time.tsx';
import { TitledCard } from '../../components/titled-card.tsx';
import { Alert } from '../../components/worded-parts.tsx';
import { constraintTitle } from '../../texts/api-names.ts';
import { type PlainKey, text } from '../../texts/texts.ts';
import { ProposeMoves } from './propose-moves.tsx';
import { SmallTable } from './small-table.tsx';
import { verdictText } from './verdict-text.ts';

const variants = { fits: 'success', does_not_fit: 'danger', unknown: 'warning' } as const;

type Move = WhatIf['moves'][number];
type Obstacle = WhatIf['obstacles'][number];
type Reserve = WhatIf['reserve']['before'];
type FullHost = WhatIf['fullest'][number]['before'];

interface WhatIfResultProps {
  result: WhatIf;
  request: WhatIfRequest;
}

/** The result of a what-if question: its verdict first, then moves, obstacles, reserve and side effects. */
export function WhatIfResult({ result, request }: WhatIfResultProps) {
  const { verdict, because, notes, question, moves, obstacles, hosts } = result;
  const isPlace = question === 'place';
  return (
    <Grid hasGutter>
      <GridItem>
        <Alert
          isInline
          variant={variants[verdict]}
          title={verdictText(result, request)}
          data-testid="what-if-verdict"
          data-verdict={verdict}
        >
          {because !== null && (
            <p>
              <Prose text={because} />
            </p>
          )}
          {notes.map((note) => (
            <p key={note} className="vigil-subtle">
              <Prose text={note} />
            </p>
          ))}
        </Alert>
      </GridItem>
      <GridItem>
        <Summary result={result} />
        {question === 'move' && verdict === 'fits' && <ProposeMoves moves={moves} />}
      </GridItem>
      <GridItem xl={6}>
        <ReserveTable reserve={result.reserve} />
      </GridItem>
      <GridItem xl={6}>
        <FullestTable fullest={result.fullest} />
      </GridItem>
      {result.places.length > 0 && (
        <GridItem>
          <PlacesTable places={result.places} />
        </GridItem>
      )}
      {obstacles.length > 0 && (
        <GridItem>
          {isPlace ? <RefusingHosts obstacles={obstacles} /> : <Obstacles obstacles={obstacles} question={question} />}
        </GridItem>
      )}
      {moves.length > 0 && (
        <GridItem>
          <Moves moves={moves} />
        </GridItem>
      )}
      {hosts.length > 0 && (
        <GridItem>
          <HostPlaces hosts={hosts} />
        </GridItem>
      )}
    </Grid>
  );
}

function Summary({ result }: { result: WhatIf }) {
  const { number, is_exact: isExact, moves_needed: moves, moves_memory: memory, left, question } = result;
  const leaves = question === 'lose' || question === 'remove';
  return (
    <Facts
      facts={[
        ...(number === null
          ? []
          : ([
              [
                text('whatIf.places'),
                <strong key="places" data-testid="what-if-number">
                  {isExact ? roundedText(number) : text('whatIf.atMost', { count: number })}
                </strong>,
              ],
            ] as const)),
        ...(leaves
          ? ([
              [text('whatIf.moves'), text('whatIf.movesOf', { count: moves, memory: gibText(memory) })],
              [text('whatIf.left'), roundedText(left)],
            ] as const)
          : []),
        [text('whatIf.takenAt'), <Time key="time" at={result.model_taken_at} />],
      ]}
    />
  );
}

function ReserveTable({ reserve: { before, after } }: Pick<WhatIf, 'reserve'>) {
  const row = (title: string, { hosts, covered, unknown, largest, not_covered: lacking }: Reserve) => [
    title,
    unknown === 0
      ? text('whatIf.covered', { covered, hosts })
      : text('whatIf.coveredUnknown', { covered, hosts, unknown }),
    largest && (
      <span>
        <HostLink hostname={largest.hostname} /> ({text(`whatIf.cover.${largest.verdict}`)})
      </span>
    ),
    lacking.length === 0 ? null : <span data-literal>{lacking.join(', ')}</span>,
  ];
  return (
    <SmallTable
      title={text('whatIf.reserve')}
      columns={[text('whatIf.time'), text('whatIf.coveredHosts'), text('whatIf.largest'), text('whatIf.notCovered')]}
      rows={[row(text('whatIf.before'), before), ...(after === null ? [] : [row(text('whatIf.after'), after)])]}
    >
      <p className="vigil-subtle">{text('whatIf.reserveHint')}</p>
    </SmallTable>
  );
}

function FullestTable({ fullest }: Pick<WhatIf, 'fullest'>) {
  const full = (host: FullHost) =>
    host && (
      <span>
        <HostLink hostname={host.hostname} /> {numberText(host.percent, '%')}
      </span>
    );
  return (
    <SmallTable
      title={text('whatIf.sideEffects')}
      columns={[text('whatIf.resource'), text('whatIf.fullestBefore'), text('whatIf.fullestAfter')]}
      rows={fullest.map(({ resource, before, after }) => [
        text(`whatIf.resource.${resource}`),
        full(before),
        full(after),
      ])}
    />
  );
}

function PlacesTable({ places }: Pick<WhatIf, 'places'>) {
  const written = (count: number, isExact: boolean) =>
    isExact ? roundedText(count) : text('whatIf.atMost', { count });
  return (
    <SmallTable
      title={text('whatIf.placesOf')}
      columns={[text('whatIf.flavor'), text('whatIf.before'), text('whatIf.after')]}
      rows={places.map(({ flavor, before, after, is_exact: isExact }) => [
        <span key="flavor" data-literal>
          {flavor}
        </span>,
        written(before, isExact),
        written(after, isExact),
      ])}
    />
  );
}

function RefusingHosts({ obstacles }: { obstacles: readonly Obstacle[] }) {
  return (
    <SmallTable
      title={text('whatIf.refusing')}
      columns={[text('column.reason'), text('column.hosts')]}
      rows={obstacles.map(({ constraint, hosts }) => [constraintTitle(constraint), roundedText(hosts ?? 0)])}
    />
  );
}

const titleKeys: Record<WhatIf['question'], PlainKey> = {
  ...{ lose: 'whatIf.withoutHost', remove: 'whatIf.withoutHost', add: 'whatIf.refusing' },
  ...{ place: 'whatIf.refusing', ratio: 'whatIf.overfullHosts', move: 'whatIf.refusedMoves' },
};

function Obstacles({ obstacles, question }: { obstacles: readonly Obstacle[]; question: WhatIf['question'] }) {
  const title = text(titleKeys[question]);
  const columns: Column<Obstacle>[] = [
    ...(question === 'ratio'
      ? []
      : [
          {
            title: text('column.instance'),
            name: 'instance',
            value: ({ name, instance }: Obstacle) => name ?? instance,
            render: ({ name, instance }: Obstacle) => instance && <InstanceLink uuid={instance} name={name} />,
          },
        ]),
    {
      title: text('column.host'),
      name: 'host',
      value: ({ hostname }) => hostname,
      render: ({ hostname }) => hostname && <HostLink hostname={hostname} />,
    },
    { title: text('column.reason'), name: 'why', value: ({ constraint }) => constraintTitle(constraint) },
  ];
  return (
    <TitledCard title={title}>
      <DataTable
        label={title}
        name="left"
        rows={obstacles}
        columns={columns}
        rowKey={({ instance, hostname, constraint }) => `${instance} ${hostname} ${constraint}`}
        perPage={10}
      />
    </TitledCard>
  );
}

function Moves({ moves }: { moves: readonly Move[] }) {
  const host = (title: string, name: 'from' | 'to'): Column<Move> => ({
    ...{ title, name },
    value: (move) => move[name],
    render: (move) => <HostLink hostname={move[name]} />,
  });
  const columns: Column<Move>[] = [
    {
      title: text('column.instance'),
      name: 'instance',
      value: ({ name }) => name,
      render: ({ instance, name }) => <InstanceLink uuid={instance} name={name} />,
    },
    host(text('column.from'), 'from'),
    host(text('column.to'), 'to'),
    { title: text('whatIf.method'), name: 'way', value: ({ way }) => text(`whatIf.method.${way}`) },
    {
      title: text('column.memory'),
      name: 'memory',
      value: ({ memory }) => memory,
      render: ({ memory }) => gibText(memory),
    },
  ];
  return (
    <TitledCard title={text('whatIf.movesNeeded')}>
      <DataTable
        label={text('whatIf.movesNeeded')}
        name="moves"
        rows={moves}
        columns={columns}
        rowKey={({ instance }) => instance}
        perPage={10}
      />
    </TitledCard>
  );
}

function HostPlaces({ hosts }: Pick<WhatIf, 'hosts'>) {
  const columns: Column<WhatIf['hosts'][number]>[] = [
    {
      title: text('column.host'),
      name: 'host',
      value: ({ hostname }) => hostname,
      render: ({ hostname }) => <HostLink hostname={hostname} />,
    },
    { title: text('whatIf.places'), name: 'places', value: ({ places }) => places },
  ];
  return (
    <TitledCard title={text('whatIf.hostsWithPlaces')}>
      <DataTable
        label={text('whatIf.hostsWithPlaces')}
        name="hosts"
        rows={hosts}
        columns={columns}
        rowKey={({ hostname }) => hostname}
        sortBy={{ index: 1, direction: 'desc' }}
        perPage={10}
      />
    </TitledCard>
  );
}
