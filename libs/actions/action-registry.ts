import type { ErrorObject, ValidateFunction } from 'ajv';
import AjvDraft04Module from 'ajv-draft-04';
import { InvalidInputError, type JsonObject } from '#libs/domain';
import type { ActionPlugin } from '#libs/plugin-kit';
import { ActionInputError, UnknownActionTypeError } from './errors.ts';
import { createRevert } from './revert.ts';

/** The action types that a process can run. */
export interface ActionRegistry {
  list(): readonly ActionPlugin[];
  /** @throws UnknownActionTypeError */
  get(actionType: string): ActionPlugin;
  /** @throws UnknownActionTypeError, ActionInputError naming each field and what is wrong with it. */
  validate(actionType: string, input: JsonObject): void;
}

const AjvDraft04 = AjvDraft04Module.default;

/**
 * Registers plugins by name, and beside them `revert`, which undoes actions of all their types.
 * @throws InvalidInputError when two have the same name.
 */
export function createActionRegistry(plugins: readonly ActionPlugin[]): ActionRegistry {
  const ajv = new AjvDraft04({ allErrors: true, strict: false });
  const entries = new Map<string, { plugin: ActionPlugin; validate?: ValidateFunction }>();
  const revert = createRevert({ get: (name) => entryOf(name).plugin, validate });
  for (const plugin of [...plugins, revert]) {
    if (entries.has(plugin.name)) throw new InvalidInputError('action type', `${plugin.name} is registered twice`);
    entries.set(plugin.name, { plugin });
  }
  function entryOf(actionType: string) {
    const entry = entries.get(actionType);
    if (!entry) throw new UnknownActionTypeError(actionType);
    return entry;
  }
  function validate(actionType: string, input: JsonObject): void {
    const entry = entryOf(actionType);
    entry.validate ??= ajv.compile(entry.plugin.schema);
    const check = entry.validate;
    if (!check(input)) throw new ActionInputError((check.errors ?? []).map(textOf).join('; '));
  }
  return { list: () => [...plugins, revert], get: (actionType) => entryOf(actionType).plugin, validate };
}

function textOf(error: ErrorObject): string {
  const extra = error.keyword === 'additionalProperties' ? ` (${String(error.params.additionalProperty)})` : '';
  return `${error.instancePath.slice(1) || 'parameters'} ${error.message ?? 'is invalid'}${extra}`;
}
