import type { UseQueryResult } from '@tanstack/react-query';
import type { PlanRowList } from '../../api/list-types.ts';
import { useStreamQuery } from '../../live/use-stream-query.ts';

/** Number of plans per read. The card shows fewer of them. The list of problems shows all held ones. */
const limit = 10;

/** Returns the open plans, the most urgent first: suspended, held, running, then recommended ones. */
export function useOpenPlans(): UseQueryResult<PlanRowList> {
  return useStreamQuery<PlanRowList>(`lists/action-plans?state=OPEN&sort=urgency&limit=${limit}`, ['action_plan'], {
    settleMs: 1_000,
  });
}
