import { waitsForApproval } from '../components/plan-states.ts';
import type { LivePlan } from '../live/live-entities.ts';

/** Event of a plan that the browser reports: it failed, or it waits for the approval of a second person. */
export type AlertCause = 'failed' | 'waits';

/** A plan with its event. */
export interface PlanAlert {
  uuid: string;
  cause: AlertCause;
}

type Alerted = Pick<LivePlan, 'uuid' | 'state' | 'approval'>;

/**
 * Finds the events between two states of the stream. Returns a function for each new state. Its first call returns
 * nothing: those plans are on the pages already. `mayApprove`: whether plans that wait concern the user.
 */
export function createPlanAlerts(mayApprove: boolean): (plans: readonly Alerted[]) => PlanAlert[] {
  let known: ReadonlyMap<string, AlertCause | null> | undefined;
  return (plans) => {
    const causes = new Map(plans.map((plan) => [plan.uuid, causeOf(plan, mayApprove)]));
    const before = known;
    known = causes;
    if (before === undefined) return [];
    return [...causes].flatMap(([uuid, cause]) =>
      cause !== null && before.get(uuid) !== cause && (cause === 'waits' || before.has(uuid)) ? [{ uuid, cause }] : [],
    );
  };
}

function causeOf(plan: Alerted, mayApprove: boolean): AlertCause | null {
  if (plan.state === 'FAILED') return 'failed';
  return mayApprove && waitsForApproval(plan) ? 'waits' : null;
}
