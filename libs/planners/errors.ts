import { VigilError } from '#libs/domain';

/** A planner was given an action of a type that it has no rule for. */
export class UnsupportedActionTypeError extends VigilError {
  readonly code = 'unsupported_action_type';
  readonly category = 'permanent';

  constructor(planner: string, actionType: string) {
    super(`planner ${planner} has no rule for actions of type ${actionType}; choose another planner in the strategy`);
  }
}
