import { type Audit, type AuditEvent, type AuditState, auditStateTable, moveOf } from '#libs/domain';
import { auditView } from '../reading/views.ts';
import type { Session } from '../session/session.ts';
import type { AuditDefaults, AuditRepository, AuditView } from '../types.ts';
import { createLeasedRepository } from './leased-repository.ts';
import { type Effects, leaseEffects, noHolder } from './life-cycle.ts';
import { createStatefulRepository } from './stateful-repository.ts';

/** A CONTINUOUS audit is due at `next_run_time` within its window, and after its end, to be ended. */
const due = `((start_time IS NULL OR start_time <= now()) AND (next_run_time IS NULL OR next_run_time <= now())
  OR end_time <= now())`;

/** Events after which the run that alerts requested is no longer open. */
const endsRun: readonly AuditEvent[] = ['release', 'succeed', 'fail', 'cancel', 'suspend', 'hold', 'delete'];

function effectsOf(event: AuditEvent, to: AuditState): Effects {
  if (event === 'wait') return noHolder;
  // A new trigger is new work, so earlier starts do not count.
  if (event === 'retrigger') return { ...leaseEffects(to), attempts: 0 };
  return endsRun.includes(event) ? { ...leaseEffects(to), alertRun: null } : leaseEffects(to);
}

/**
 * Audits. A CONTINUOUS audit waits for its next run in state ONGOING without a lease: it can be taken over and is
 * listed as claimable when `next_run_time` has come. One that waits for its `start_time` is not listed either, and an
 * EVENT audit that is PENDING waits for its webhook, unless alerts have requested its run.
 */
export function createAuditRepository(session: Session): AuditRepository {
  return {
    ...createStatefulRepository<Audit, AuditView, AuditState, AuditEvent, AuditDefaults>(session, auditView, {
      table: auditStateTable,
      fenceGuard: 'fence = :fence',
      currentFence: 'fence',
      effects: effectsOf,
    }),
    ...createLeasedRepository(session, auditView, {
      claim: moveOf(auditStateTable, 'claim'),
      takeOverFrom: moveOf(auditStateTable, 'takeOver').from,
      countRun: 'attempts = attempts + 1',
      due,
      pendingDue: `(audit_type <> 'EVENT' OR alert_run IS NOT NULL) AND ${due}`,
      pendingWithoutMessage: `audit_type = 'CONTINUOUS'`,
      urgent: `audit_type = 'ONESHOT'`,
      hasLaunchSeq: false,
    }),

    forgiveRun: (uuid, fence) =>
      session.writeOnce(async (manager) => {
        // Later runs of the same work continue this count. The first run of new work starts at 0.
        await manager.query(
          `UPDATE audits SET attempts = attempts - 1
           WHERE uuid = $1 AND deleted = 0 AND state = 'ONGOING'
             AND (fence = $2 AND attempts > 0 OR fence > $2 AND attempts > 1)`,
          [uuid, fence],
        );
      }),
  };
}
