import type { ReactNode } from 'react';
import type { PeriodReport } from '#libs/client';
import { useDisplayNames } from '../../components/display-names.tsx';
import { Facts } from '../../components/facts.tsx';
import { HostLink, PlanLink } from '../../components/links.tsx';
import { numberText } from '../../components/number-text.ts';
import { Prose } from '../../components/prose.tsx';
import { ReportTable } from '../../components/report-table.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { textOf } from '../../components/states.tsx';
import { TitledCard } from '../../components/titled-card.tsx';
import { text } from '../../texts/texts.ts';
import { percentText, stateRows } from './period-rows.ts';

interface PartProps {
  report: PeriodReport;
}

/** All parts of the report, each with its numbers, or with a sentence in their place. */
export function PeriodParts({ report }: PartProps) {
  return (
    <>
      <Sums report={report} />
      <States report={report} />
      <Promises report={report} />
      <FullestHosts report={report} />
      <Refusals report={report} />
      <Unstarted report={report} />
    </>
  );
}

function Sums({ report: { plans, moves, energy } }: PartProps) {
  const energyNote = text('period.energyOf', {
    hosts: energy.hosts,
    measured: numberText(energy.measured_hours),
    hours: numberText(energy.hours),
  });
  return (
    <TitledCard title={text('period.sums')}>
      <Facts
        facts={[
          [text('period.created'), plans.made],
          [
            text('period.moves'),
            withNote(moves.succeeded, moves.failed, text('count.failed', { failed: moves.failed })),
          ],
          [text('period.freed'), moves.hosts_freed],
          [
            text('period.energy'),
            energy.kwh === null ? text('period.noEnergy') : `${numberText(energy.kwh, 'kWh')} (${energyNote})`,
          ],
        ]}
      />
      {energy.error !== null && <Prose text={textOf(energy.error)} />}
    </TitledCard>
  );
}

const withNote = (value: number, count: number, note: string) => (count === 0 ? value : `${value} (${note})`);

function States({ report: { plans } }: PartProps) {
  const notes = [
    ...(plans.partial > 0 ? [text('period.partial', { count: plans.partial })] : []),
    ...(plans.without_actions > 0 ? [text('period.withoutActions', { count: plans.without_actions })] : []),
  ];
  return (
    <Part
      title={text('period.states')}
      none={text('period.noPlans')}
      titles={[text('column.state'), text('period.plans'), text('period.removed')]}
      rows={stateRows(plans.by_state).map(({ state, plans: count, removed }) => ({
        key: state,
        cells: [<StateLabel key="state" state={state} />, count, removed],
      }))}
    >
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </Part>
  );
}

function Promises({ report: { promises } }: PartProps) {
  const displayName = useDisplayNames();
  return (
    <Part
      title={text('promise.title')}
      none={text('promise.none')}
      titles={[
        text('column.strategy'),
        text('promise.promise'),
        text('promise.verdict.WITHIN'),
        text('promise.verdict.NOT_MEASURED'),
        text('promise.verdict.NOT_ATTRIBUTABLE'),
      ]}
      rows={promises.map((row) => {
        const measured = row.within + row.below + row.above;
        return {
          key: `${row.strategy_name} ${row.quantity}`,
          cells: [
            displayName(row.strategy_name),
            text(`promise.${row.quantity}`),
            measured === 0 ? '–' : text('promise.kept', { within: row.within, measured }),
            row.not_measured,
            row.not_attributable,
          ],
        };
      })}
    />
  );
}

function FullestHosts({ report: { fullest } }: PartProps) {
  return (
    <Part
      title={text('period.fullest')}
      none={fullest.error === null ? text('period.noLoads') : textOf(fullest.error)}
      titles={[
        text('column.host'),
        text('period.cpuMean'),
        text('period.cpuHighest'),
        text('period.memoryMean'),
        text('period.memoryHighest'),
      ]}
      rows={fullest.hosts.map((host) => ({
        key: host.hostname,
        cells: [
          <HostLink key="host" hostname={host.hostname} />,
          ...[host.cpu_mean, host.cpu_highest, host.memory_mean, host.memory_highest].map(percentText),
        ],
      }))}
    >
      {fullest.hosts.length > 0 && fullest.error !== null && <Prose text={textOf(fullest.error)} />}
    </Part>
  );
}

function Refusals({ report: { refusals } }: PartProps) {
  return (
    <Part
      title={text('period.refusals')}
      none={text('period.noRefusals')}
      titles={[text('field.reason'), text('column.actions')]}
      rows={refusals.map(({ reason, actions }) => ({
        key: reason,
        cells: [text(`period.refusal.${reason}`), actions],
      }))}
    />
  );
}

function Unstarted({ report: { unstarted } }: PartProps) {
  return (
    <Part
      title={text('period.unstarted')}
      none={text('period.noUnstarted')}
      titles={[text('column.state'), text('field.reason'), text('period.plans'), text('period.newest')]}
      rows={unstarted.map(({ state, approval, reason, plans, newest }) => ({
        key: newest,
        cells: [
          <StateLabel key="state" state={state} />,
          <>
            {state === 'RECOMMENDED' && approval === 'wanted' && `${text('approval.waits')} `}
            {reason === null ? text('period.noReason') : <Prose text={reason} />}
          </>,
          plans,
          <PlanLink key="newest" uuid={newest} />,
        ],
      }))}
    />
  );
}

interface PartOptions {
  title: string;
  /** Shown without rows. */
  none: string;
  titles: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
  children?: ReactNode;
}

function Part({ title, none, titles, rows, children }: PartOptions) {
  return (
    <TitledCard title={title}>
      {rows.length === 0 ? none : <ReportTable label={title} titles={titles} rows={rows} />}
      {children}
    </TitledCard>
  );
}
