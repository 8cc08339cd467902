export type { ActionRegistry } from './action-registry.ts';
export { createActionRegistry } from './action-registry.ts';
export { actionCatalogue } from './catalogue.ts';
export type { SafetyRail } from './errors.ts';
export { ActionFailedError, ActionInputError, SafetyRailError, UnknownActionTypeError } from './errors.ts';
export { orderReverts } from './order-reverts.ts';
export type { DoneAction, RevertStep } from './plan-rollback.ts';
export { inputOfRevert, planRollback } from './plan-rollback.ts';
export { revertType } from './revert.ts';
