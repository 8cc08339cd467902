import { type JsonObject, nearestHint } from '#libs/domain';
import { InvalidPluginResultError, InvalidStrategyResultError } from './errors.ts';
import { compileDraft4, faultsOf, type SchemaFault } from './json-schema.ts';
import type { ProposedAction, StrategyResult } from './strategy.ts';

/** Schema of `input_parameters` (JSON Schema draft 4) of each action type that can be executed. */
export type ActionSchemas = ReadonlyMap<string, JsonObject>;

type CheckedAction = Pick<ProposedAction, 'actionType' | 'inputParameters'>;

/**
 * Checks that the actions of a result, and those of its variants, can be executed: known types, valid inputs.
 * @throws InvalidStrategyResultError with the number of the action (from 0), the field and the nearest valid name.
 */
export function checkProposedActions(
  strategy: string,
  { actions, variants = [] }: Pick<StrategyResult, 'actions' | 'variants'>,
  schemas: ActionSchemas,
): void {
  const fault =
    faultOfActions(actions, 'actions', schemas) ??
    variants
      .map((variant, index) => faultOfActions(variant.actions, `variants[${index}].actions`, schemas))
      .find((found) => found !== null);
  if (fault) throw new InvalidStrategyResultError(strategy, fault.field, fault.reason);
}

/** As `checkProposedActions`, for the actions that a planner returned. @throws InvalidPluginResultError */
export function checkPlannedActions(planner: string, actions: readonly CheckedAction[], schemas: ActionSchemas): void {
  const fault = faultOfActions(actions, 'actions', schemas);
  if (fault) {
    throw new InvalidPluginResultError(
      `planner ${planner}`,
      `returned an unusable plan: ${fault.field}: ${fault.reason}`,
    );
  }
}

/** Fault of the first action that has one. Null when all can be executed. */
function faultOfActions(actions: readonly CheckedAction[], path: string, schemas: ActionSchemas): SchemaFault | null {
  for (const [index, { actionType, inputParameters }] of actions.entries()) {
    const schema = schemas.get(actionType);
    if (schema === undefined)
      return { field: `${path}[${index}].actionType`, reason: unknownType(actionType, schemas) };
    const validate = compileDraft4(schema);
    if (validate(inputParameters)) continue;
    const [first, ...others] = faultsOf(validate.errors);
    const rest = others.map(({ field, reason }) => `; ${field}: ${reason}`).join('');
    return {
      field: [`${path}[${index}].inputParameters`, first?.field].filter(Boolean).join('.'),
      reason: `${first?.reason}${rest} (action type ${actionType})`,
    };
  }
  return null;
}

function unknownType(actionType: string, schemas: ActionSchemas): string {
  const known = `; known are ${[...schemas.keys()].sort().join(', ')}`;
  return `no action type ${actionType} is loaded${nearestHint(actionType, schemas.keys(), known)}`;
}
