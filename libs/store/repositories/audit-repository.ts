import { type Audit, type AuditEvent, type AuditState, auditStateTable, moveOf } from '#libs/domain';
import type { AuditDefaults, AuditView, UnitOfWork } from '../contract.ts';
import { auditView } from '../reading/views.ts';
import type { Session } from '../session/session.ts';
import { createLeasedRepository } from './leased-repository.ts';
import { leaseEffects } from './life-cycle.ts';
import { createStatefulRepository } from './stateful-repository.ts';

/**
 * Audits. A CONTINUOUS audit waits for its next run in state ONGOING without a lease: it can be taken over and is
 * listed as claimable when `next_run_time` has come. One that waits for its `start_time` is not listed either.
 */
export function createAuditRepository(session: Session): UnitOfWork['audits'] {
  return {
    ...createStatefulRepository<Audit, AuditView, AuditState, AuditEvent, AuditDefaults>(session, auditView, {
      table: auditStateTable,
      fenceGuard: 'fence = :fence',
      currentFence: 'fence',
      effects: (_event, to) => leaseEffects(to),
    }),
    ...createLeasedRepository(session, auditView, {
      claim: moveOf(auditStateTable, 'claim'),
      takeOverFrom: moveOf(auditStateTable, 'takeOver').from,
      countRun: 'attempts = attempts + 1',
      due: '(next_run_time IS NULL OR next_run_time <= now())',
      pendingDue: '(start_time IS NULL OR start_time <= now())',
      hasLaunchSeq: false,
    }),
  };
}
