import { Button } from '@patternfly/react-core';
import type { PlanEnd } from '../../api/find-types.ts';
import { proseColumn, stateColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useDisplayNames } from '../../components/display-names.tsx';
import { PlanLink, shortId } from '../../components/links.tsx';
import { Nothing } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { text } from '../../texts/texts.ts';

const hourMs = 3_600_000;

interface PlanMarksProps {
  /** Plans that ended within the time line, newest first. */
  plans: readonly PlanEnd[];
  onMoment: (atMs: number) => void;
  onBoth: (atMs: number, toMs: number) => void;
}

/** The plans of the time line. Each links to its page, to the cluster at its end, and to before and after it. */
export function PlanMarks({ plans, onMoment, onBoth }: PlanMarksProps) {
  const displayName = useDisplayNames();
  const columns: Column<PlanEnd>[] = [
    {
      title: text('past.ended'),
      name: 'ended',
      value: (plan) => plan.ended_at,
      render: (plan) => <Time at={plan.ended_at} />,
    },
    {
      title: text('column.plan'),
      name: 'plan',
      value: ({ uuid }) => uuid,
      render: ({ uuid }) => <PlanLink uuid={uuid} />,
    },
    {
      title: text('column.strategy'),
      name: 'strategy',
      value: (plan) => displayName(plan.strategy_name),
    },
    stateColumn(text('column.state'), 'state', ({ state }) => state),
    proseColumn(text('past.reason'), 'reason', ({ state, status_message: reason }) =>
      state === 'SUCCEEDED' ? null : reason,
    ),
    {
      title: text('past.show'),
      name: 'show',
      render: ({ uuid, started_at: started, ended_at: ended }) => (
        <span className="vigil-choices">
          <Button
            variant="link"
            isInline
            aria-label={text('past.hourBeforeEnd', { plan: shortId(uuid) })}
            onClick={() => onMoment(Date.parse(ended) - hourMs)}
          >
            {text('past.hourBefore')}
          </Button>{' '}
          <Button
            variant="link"
            isInline
            aria-label={text('past.atEnd', { plan: shortId(uuid) })}
            onClick={() => onMoment(Date.parse(ended))}
          >
            {text('past.end')}
          </Button>{' '}
          {started !== null && (
            <Button
              variant="link"
              isInline
              aria-label={text('past.beforeAndAfterPlan', { plan: shortId(uuid) })}
              onClick={() => onBoth(Date.parse(started), Date.parse(ended))}
            >
              {text('past.beforeAndAfter')}
            </Button>
          )}
        </span>
      ),
    },
  ];
  return (
    <DataTable
      label={text('past.plans')}
      name="plans"
      rows={plans}
      columns={columns}
      rowKey={({ uuid }) => uuid}
      sortBy={{ index: 0, direction: 'desc' }}
      empty={<Nothing title={text('past.noPlans')} />}
      perPage={10}
    />
  );
}
