import { type ActionPlanState, VigilError } from '#libs/domain';

/** An audit cannot be run as it stands. The message becomes its `status_message`. */
export class AuditRefusedError extends VigilError {
  readonly code = 'audit_refused';
  readonly category = 'permanent';
}

/** A run was started as often as is allowed and never ended. Its decision engines may have died of it. */
export class AuditAbandonedError extends VigilError {
  readonly code = 'audit_abandoned';
  readonly category = 'permanent';

  constructor(attempts: number) {
    super(`the audit was started ${attempts} times and never ended; its decision engine may have died of it`);
  }
}

/** An action plan was started and has not ended, and the audit does not force; Watcher's rule. */
export class ActionPlanOngoingError extends VigilError {
  readonly code = 'action_plan_ongoing';
  readonly category = 'conflict';

  constructor({ uuid, state }: { uuid: string; state: ActionPlanState }) {
    super(
      `Action plan ${uuid} is ${state === 'PENDING' ? 'started' : 'ongoing'}; the audit does not force and was not run`,
    );
  }
}

/** The audit was run again while a plan was made of a point of its former curve. */
export class CurveReplacedError extends VigilError {
  readonly code = 'curve_replaced';
  readonly category = 'conflict';

  constructor(auditUuid: string) {
    super(`Audit ${auditUuid} has run again since; its curve is another one now`);
  }
}
