import { VigilError } from '#libs/domain';

/** The time budget of an action is used up. */
export class ActionTimeoutError extends VigilError {
  readonly code = 'action_timeout';
  readonly category = 'permanent';

  constructor(budgetMs: number) {
    super(`timeout after ${Math.round(budgetMs / 1000)}s`);
  }
}

/** This process stops; the run is left for another applier to continue. */
export class RunHaltedError extends VigilError {
  readonly code = 'run_halted';
  readonly category = 'retryable';

  constructor() {
    super('the applier stops');
  }
}

/** The actions of a plan do not form a graph that can be executed. */
export class PlanGraphError extends VigilError {
  readonly code = 'plan_graph';
  readonly category = 'permanent';
}
