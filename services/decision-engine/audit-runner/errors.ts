import { VigilError } from '#libs/domain';

/** An audit can not be run as it stands; the message becomes its `status_message`. */
export class AuditRefusedError extends VigilError {
  readonly code = 'audit_refused';
  readonly category = 'permanent';
}

/** An action plan is ongoing and the audit does not force; Watcher's rule. */
export class ActionPlanOngoingError extends VigilError {
  readonly code = 'action_plan_ongoing';
  readonly category = 'conflict';

  constructor(planUuid: string) {
    super(`Action plan ${planUuid} is ongoing; the audit does not force and was not run`);
  }
}
