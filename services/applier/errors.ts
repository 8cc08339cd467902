import { VigilError } from '#libs/domain';

/** The time budget of an action is used up. */
export class ActionTimeoutError extends VigilError {
  readonly code = 'action_timeout';
  readonly category = 'permanent';

  constructor(budgetMs: number) {
    super(`timeout after ${Math.round(budgetMs / 1000)}s`);
  }
}

/** The plugin of an action type threw an error, or returned an unusable value. */
export class ActionPluginError extends VigilError {
  readonly code = 'action_plugin';
  readonly category = 'permanent';

  /** @param problem the fault of the plugin's method, such as `failed: TypeError`. */
  constructor(actionType: string, method: string, problem: string, options?: ErrorOptions) {
    super(`the plugin of action type ${actionType} is broken: ${method} ${problem}`, options);
  }
}

/** An action type does not declare its requests. A plan with such an action gets no credential. */
export class UndeclaredAccessError extends VigilError {
  readonly code = 'undeclared_access';
  readonly category = 'permanent';

  constructor(actionType: string) {
    super(`action type ${actionType} does not declare the requests that it sends (access)`);
  }
}

/** This process stops. Another applier continues the run. */
export class RunHaltedError extends VigilError {
  readonly code = 'run_halted';
  readonly category = 'retryable';

  constructor() {
    super('the applier stops');
  }
}

/** The plan is paused or waits for its maintenance window. Any applier may continue it later. */
export class RunHeldError extends VigilError {
  readonly code = 'run_held';
  readonly category = 'retryable';
  readonly until: Date | null;

  /** @param until when it may continue. Null until an operator decides. */
  constructor(statusMessage: string, until: Date | null) {
    super(statusMessage);
    this.until = until;
  }
}

/** Thrown when the outcome of an action is unknown for too long. The plan is SUSPENDED until an operator checks it. */
export class RunSuspendedError extends VigilError {
  readonly code = 'run_suspended';
  readonly category = 'retryable';
}

/** The plan was cancelled with a request to abort its running actions. */
export class AbortRequestedError extends VigilError {
  readonly code = 'abort_requested';
  readonly category = 'permanent';

  constructor() {
    super('the action is being aborted');
  }
}

/** The actions of a plan do not form a graph that can be executed. */
export class PlanGraphError extends VigilError {
  readonly code = 'plan_graph';
  readonly category = 'permanent';
}
