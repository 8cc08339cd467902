import { type ActionPlanState, VigilError } from '#libs/domain';

/** An audit cannot run. The message becomes its `status_message`. */
export class AuditRefusedError extends VigilError {
  readonly code = 'audit_refused';
  readonly category = 'permanent';
}

/** The audit was started as often as allowed without an end. Its runs may have crashed the decision engines. */
export class AuditAbandonedError extends VigilError {
  readonly code = 'audit_abandoned';
  readonly category = 'permanent';

  constructor(attempts: number) {
    super(`the audit was started ${attempts} times and never ended; its decision engine may have died of it`);
  }
}

/** Watcher's rule: a started action plan has not ended, and the audit has no `force`. */
export class ActionPlanOngoingError extends VigilError {
  readonly code = 'action_plan_ongoing';
  readonly category = 'conflict';

  constructor({ uuid, state }: { uuid: string; state: ActionPlanState }) {
    super(
      `Action plan ${uuid} is ${state === 'PENDING' ? 'started' : 'ongoing'}; the audit does not force and was not run`,
    );
  }
}

/** The audit ran again while a plan from its previous curve was being made. */
export class CurveReplacedError extends VigilError {
  readonly code = 'curve_replaced';
  readonly category = 'conflict';

  constructor(auditUuid: string) {
    super(`Audit ${auditUuid} has run again since; its curve is another one now`);
  }
}
