import { LeaseLostError } from '#libs/domain';
import { runPeriodically, type ServiceContext } from '#libs/service-kit';
import type { Store } from '#libs/store';
import type { coordinatorEnv } from '../env.ts';
import { keepLeadership } from '../leadership.ts';
import { handOverRules } from './hand-over.ts';
import { instanceRules } from './instance-rules.ts';
import { quarantineRule } from './quarantine-rule.ts';
import { leaderRule, orphanRule } from './reconcile-rules.ts';
import { coordinatorLease, createRecoveryEngine } from './recovery-engine.ts';
import type { RecoveryRule } from './recovery-rule.ts';

/** The table of the recovery coordinator. A rule that is added here is in force. */
export const recoveryRules: readonly RecoveryRule[] = [
  ...handOverRules,
  ...instanceRules,
  leaderRule,
  orphanRule,
  quarantineRule,
];

/** Starts the recovery coordinator, which acts while it holds the lease. `wake` makes it poll immediately. */
export function startRecovery(
  context: ServiceContext<typeof coordinatorEnv>,
  store: Store,
  times: { ttlMs: number; everyMs: number },
): { wake(): void } {
  const { metrics, teardown, newUuid, logger, instanceId, loops } = context;
  const decisions = metrics.counter('vigil_recovery_decisions_total', 'Decisions of the recovery coordinator', [
    'rule',
    'outcome',
  ]);
  const leads = metrics.gauge('vigil_recovery_leader', '1 while this process is the recovery coordinator that acts');
  const engine = createRecoveryEngine({
    store,
    rules: recoveryRules,
    newUuid,
    logger,
    onDecision: (rule, outcome) => decisions.inc({ rule, outcome }),
  });
  let isNew = false;
  const leadership = keepLeadership({
    store,
    resource: coordinatorLease,
    holder: instanceId,
    ttlMs: times.ttlMs,
    logger,
    onGained() {
      isNew = true;
      periodic.wake();
    },
  });
  teardown.add('recovery lease', leadership.stop);
  const periodic = runPeriodically(context, {
    name: 'recovery',
    everyMs: times.everyMs,
    immediately: false,
    loops,
    async run() {
      const fence = leadership.fence();
      leads.set(fence === null ? 0 : 1);
      if (fence === null) return;
      try {
        if (isNew) await engine.takeOffice(fence);
        isNew = false;
        await engine.run(fence);
      } catch (error) {
        if (!(error instanceof LeaseLostError)) throw error;
        leadership.lost();
        logger.info({ fence }, 'another coordinator is leader');
      }
    },
  });
  return { wake: periodic.wake };
}
