import { withUnits } from '#libs/client';
import type { TrendPlan } from '../../api/find-types.ts';
import { timeColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useDisplayNames } from '../../components/display-names.tsx';
import { Effect } from '../../components/effect.tsx';
import { PlanLink } from '../../components/links.tsx';
import { wholePercent } from '../../components/number-text.ts';
import { indicatorText } from '../../texts/api-names.ts';
import { richText } from '../../texts/rich-text.tsx';
import { text } from '../../texts/texts.ts';
import { keptPart } from './trend-sums.ts';

const before = 'standard_deviation_before_audit';

/** Prediction and measurement of each plan, and the share that was achieved. */
export function PromiseTable({ plans }: { plans: readonly TrendPlan[] }) {
  const displayName = useDisplayNames();
  const columns: Column<TrendPlan>[] = [
    timeColumn(text('plan.ended'), 'ended', (plan) => plan.ended_at),
    {
      title: text('column.plan'),
      name: 'plan',
      value: (plan) => plan.uuid,
      render: (plan) => <PlanLink uuid={plan.uuid} />,
    },
    {
      title: text('column.strategy'),
      name: 'strategy',
      value: (plan) => displayName(plan.strategy_name),
    },
    { title: text('trends.predicted'), render: (plan) => changeText(plan, 'planned', 'predicted') },
    {
      title: text('trends.measured'),
      render: (plan) =>
        plan.measurement.state === 'ACHIEVED' ? (
          changeText(plan, 'before', 'achieved')
        ) : (
          <Effect measurement={plan.measurement} hasEnded />
        ),
    },
    {
      title: text('trends.toFree'),
      name: 'hosts-to-be-freed',
      value: (plan) => plan.hosts_freed ?? -1,
      render: (plan) => plan.hosts_freed,
    },
    {
      title: text('trends.emptyMeasured'),
      render: ({ hosts_empty: { before: from, achieved } }) =>
        from === null || achieved === null ? '–' : `${from} → ${achieved}`,
    },
  ];
  const { part, plans: counted } = keptPart(plans);
  return (
    <>
      {part !== null && (
        <p className="vigil-lead">
          {richText('trends.kept', {
            plans: counted === 1 ? text('trends.onePlan') : text('trends.secondPlan', { count: counted }),
            part: <strong>{wholePercent(part * 100)}</strong>,
          })}
        </p>
      )}
      <DataTable
        label={text('trends.plansLabel')}
        rows={plans}
        columns={columns}
        rowKey={(plan) => plan.uuid}
        sortBy={{ index: 0, direction: 'desc' }}
        perPage={10}
        empty={<p className="vigil-subtle">{text('trends.noPlans')}</p>}
      />
    </>
  );
}

type Moment = keyof TrendPlan['deviation'];

function changeText({ deviation, strategy_name: strategy }: TrendPlan, from: Moment, to: Moment): string {
  const [known] = withUnits([{ name: before, unit: null }], strategy);
  const [first, last] = [deviation[from], deviation[to]];
  if (first === null || last === null) return '–';
  return `${indicatorText(before, first, known?.unit)} → ${indicatorText(before, last, known?.unit)}`;
}
