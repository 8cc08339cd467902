import { VigilError } from '#libs/domain';

/** The operation can not succeed; the message is stored as the action's failure reason. */
export class ActionFailedError extends VigilError {
  readonly code = 'action_failed';
  readonly category = 'permanent';
}

/** No plugin of that `action_type` is loaded; Watcher's name for it, `LoadingError`, is the stored reason. */
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
