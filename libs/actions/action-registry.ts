import type { ErrorObject } from 'ajv';
import { InvalidInputError, type JsonObject } from '#libs/domain';
import { type ActionPlugin, compileDraft4 } from '#libs/plugin-kit';
import { ActionInputError, UnknownActionTypeError } from './errors.ts';
import { createRevert } from './revert.ts';

/** The action types that a process can run. */
export interface ActionRegistry {
  list(): readonly ActionPlugin[];
  /** @throws UnknownActionTypeError */
  get(actionType: string): ActionPlugin;
  /** @throws UnknownActionTypeError, ActionInputError naming each invalid field and its error. */
  validate(actionType: string, input: JsonObject): void;
}

/**
 * Registers plugins by name, and adds `revert`, which undoes actions of all their types.
 * @throws InvalidInputError when two have the same name.
 */
export function createActionRegistry(plugins: readonly ActionPlugin[]): ActionRegistry {
  const entries = new Map<string, ActionPlugin>();
  const revert = createRevert({ get: entryOf, validate });
  for (const plugin of [...plugins, revert]) {
    if (entries.has(plugin.name)) throw new InvalidInputError('action type', `${plugin.name} is registered twice`);
    entries.set(plugin.name, plugin);
  }
  function entryOf(actionType: string): ActionPlugin {
    const plugin = entries.get(actionType);
    if (!plugin) throw new UnknownActionTypeError(actionType);
    return plugin;
  }
  function validate(actionType: string, input: JsonObject): void {
    const check = compileDraft4(entryOf(actionType).schema);
    if (!check(input)) throw new ActionInputError((check.errors ?? []).map(textOf).join('; '));
  }
  return { list: () => [...plugins, revert], get: entryOf, validate };
}

function textOf(error: ErrorObject): string {
  const extra = error.keyword === 'additionalProperties' ? ` (${String(error.params.additionalProperty)})` : '';
  return `${error.instancePath.slice(1) || 'parameters'} ${error.message ?? 'is invalid'}${extra}`;
}
