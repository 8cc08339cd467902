import { Button } from '@patternfly/react-core';
import type { TrendsResponse } from '../../api/find-types.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useDisplayNames } from '../../components/display-names.tsx';
import { PlanLink, shortId } from '../../components/links.tsx';
import { Nothing } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { text } from '../../texts/texts.ts';

type Plan = TrendsResponse['plans'][number];
const hourMs = 3_600_000;

interface PlanMarksProps {
  /** With an end on the time line, newest first. */
  plans: readonly Plan[];
  onMoment: (atMs: number) => void;
}

/** The plans of the time line. Each leads to itself, and to the cluster at its end. */
export function PlanMarks({ plans, onMoment }: PlanMarksProps) {
  const displayName = useDisplayNames();
  const columns: Column<Plan>[] = [
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
    {
      title: text('past.show'),
      name: 'show',
      render: ({ uuid, ended_at: ended }) => (
        <>
          <Button
            variant="link"
            isInline
            aria-label={text('past.hourBeforeEnd', { plan: shortId(uuid) })}
            onClick={() => onMoment(Date.parse(ended ?? '') - hourMs)}
          >
            {text('past.hourBefore')}
          </Button>{' '}
          <Button
            variant="link"
            isInline
            aria-label={text('past.atEnd', { plan: shortId(uuid) })}
            onClick={() => onMoment(Date.parse(ended ?? ''))}
          >
            {text('past.end')}
          </Button>
        </>
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
