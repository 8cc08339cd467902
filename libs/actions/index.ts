export type { ActionRegistry } from './action-registry.ts';
export { createActionRegistry } from './action-registry.ts';
export { actionCatalogue } from './catalogue.ts';
export { ActionFailedError, ActionInputError, UnknownActionTypeError } from './errors.ts';
