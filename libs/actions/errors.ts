import { type RefusalReason, VigilError } from '#libs/domain';

/** The operation cannot succeed. The message is stored as the action's failure reason. */
export class ActionFailedError extends VigilError {
  readonly code = 'action_failed';
  readonly category = 'permanent';
  /** Kind of the reason if a service of the cloud refused the operation. Null for other failures. */
  readonly refusal: RefusalReason | null;

  constructor(detail: string, options: ErrorOptions & { refusal?: RefusalReason | null } = {}) {
    super(detail, options);
    this.refusal = options.refusal ?? null;
  }
}

/** Risk that the refusal of a safety rail prevents. */
export type SafetyRail =
  | 'server_locked'
  | 'server_in_error'
  | 'last_enabled_host'
  | 'host_not_empty'
  | 'service_enabled'
  | 'host_not_fenced'
  | 'host_unknown'
  | 'placement_rule';

/** An action that Vigil refuses regardless of the plan. `rail` is the machine-readable name of the rule. */
export class SafetyRailError extends VigilError {
  readonly code = 'safety_rail';
  readonly category = 'conflict';
  readonly rail: SafetyRail;

  constructor(rail: SafetyRail, detail: string) {
    super(detail);
    this.rail = rail;
  }
}

/** No plugin of that `action_type` is loaded. The stored reason is Watcher's name for it, `LoadingError`. */
export class UnknownActionTypeError extends VigilError {
  readonly code = 'unknown_action_type';
  readonly category = 'permanent';

  constructor(actionType: string) {
    super(`LoadingError: no action type ${actionType}`);
  }
}

/** `input_parameters` does not match the schema of the action type. */
export class ActionInputError extends VigilError {
  readonly code = 'action_input';
  readonly category = 'invalid-input';

  constructor(details: string) {
    super(`ValidationError: ${details}`);
  }
}
