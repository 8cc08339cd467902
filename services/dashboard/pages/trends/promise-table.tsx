import { indicatorText, withUnits } from '#libs/client';
import type { TrendPlan } from '../../api/find-types.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useDisplayNames } from '../../components/display-names.tsx';
import { PlanLink } from '../../components/links.tsx';
import { Nothing } from '../../components/states.tsx';
import { millisOf, Time } from '../../components/time.tsx';
import { keptPart } from './kept-part.ts';

const before = 'standard_deviation_before_audit';

/** What each plan promised and what was measured after it, and how much of it all came true. */
export function PromiseTable({ plans }: { plans: readonly TrendPlan[] }) {
  const displayName = useDisplayNames();
  const columns: Column<TrendPlan>[] = [
    {
      title: 'Ended',
      value: (plan) => millisOf(plan.ended_at),
      render: (plan) => <Time at={plan.ended_at} />,
    },
    { title: 'Plan', value: (plan) => plan.uuid, render: (plan) => <PlanLink uuid={plan.uuid} /> },
    {
      title: 'Strategy',
      value: (plan) => displayName(plan.strategy_name),
      render: (plan) => displayName(plan.strategy_name),
    },
    { title: 'Deviation predicted', render: (plan) => changeText(plan, 'planned', 'predicted') },
    { title: 'Deviation measured', render: (plan) => changeText(plan, 'before', 'achieved') },
    {
      title: 'Hosts to be freed',
      value: (plan) => plan.hosts_freed ?? -1,
      render: (plan) => plan.hosts_freed,
    },
    {
      title: 'Empty hosts measured',
      render: ({ hosts_empty: { before: from, achieved } }) =>
        from === null || achieved === null ? '–' : `${from} → ${achieved}`,
    },
  ];
  const { part, plans: counted } = keptPart(plans);
  return (
    <>
      {part !== null && (
        <p className="vigil-lead">
          {counted === 1 ? 'The plan' : `Every second of ${counted} plans`} that was measured took away at least{' '}
          <strong>{Math.round(part * 100)} %</strong> of the deviation that it was to take away.
        </p>
      )}
      <DataTable
        label="Plans"
        rows={plans}
        columns={columns}
        rowKey={(plan) => plan.uuid}
        sortBy={{ index: 0, direction: 'desc' }}
        perPage={10}
        empty={<Nothing title="No plan succeeded in these weeks" />}
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
