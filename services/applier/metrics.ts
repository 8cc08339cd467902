import type { RefusalReason } from '#libs/domain';
import type { Metrics } from '#libs/service-kit';

/** Life-cycle event of a plan's own credential. `orphan_deleted`: another process than its creator deleted it. */
export type PlanCredentialEvent = 'created' | 'create_failed' | 'deleted' | 'delete_failed' | 'orphan_deleted';

/** Metrics of the applier. */
export interface ApplierMetrics {
  /** @param result final state of the action. */
  actionEnded(type: string, result: string, seconds: number): void;
  /** A service of the cloud refused the action. */
  actionRefused(type: string, reason: RefusalReason): void;
  planStarted(kind: 'claimed' | 'taken_over'): void;
  planEnded(outcome: string): void;
  plansRunning(count: number): void;
  leaseLost(): void;
  /** A plan's own credential was created or deleted, or that failed. */
  planCredential(event: PlanCredentialEvent): void;
}

/** Registers the applier's metrics. */
export function createApplierMetrics(metrics: Metrics): ApplierMetrics {
  const actions = metrics.counter('vigil_applier_actions_total', 'Actions that ended', ['type', 'result']);
  const durations = metrics.histogram('vigil_applier_action_seconds', 'Duration of actions', ['type']);
  const refused = metrics.counter('vigil_applier_refusals_total', 'Actions that the cloud refused', ['type', 'reason']);
  const started = metrics.counter('vigil_applier_plan_runs_total', 'Runs of action plans', ['kind']);
  const ended = metrics.counter('vigil_applier_plan_ends_total', 'Ends of runs by outcome', ['outcome']);
  const running = metrics.gauge('vigil_applier_plans_running', 'Action plans that run now');
  const lost = metrics.counter('vigil_applier_leases_lost_total', 'Runs that ended because their lease was lost');
  const credentials = metrics.counter('vigil_applier_plan_credentials_total', 'Credentials of single plans', ['event']);
  return {
    actionEnded(type, result, seconds) {
      actions.inc({ type, result });
      durations.observe({ type }, seconds);
    },
    actionRefused: (type, reason) => refused.inc({ type, reason }),
    planStarted: (kind) => started.inc({ kind }),
    planEnded: (outcome) => ended.inc({ outcome }),
    plansRunning: (count) => running.set(count),
    leaseLost: () => lost.inc(),
    planCredential: (event) => credentials.inc({ event }),
  };
}
