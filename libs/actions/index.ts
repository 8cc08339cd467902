export type { ActionRegistry } from './action-registry.ts';
export { createActionRegistry } from './action-registry.ts';
export { actionCatalogue } from './catalogue.ts';
export type { SafetyRail } from './errors.ts';
export { ActionFailedError, ActionInputError, SafetyRailError, UnknownActionTypeError } from './errors.ts';
