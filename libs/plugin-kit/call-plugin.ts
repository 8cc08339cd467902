import { type GlobalEfficacy, messageOf, VigilError } from '#libs/domain';
import { InvalidPluginResultError } from './errors.ts';
import type { GoalPlugin } from './goal.ts';
import type { PlannedAction, PlannerPlugin } from './planner.ts';

/** Calls a plugin. Its errors name the plugin. */
function call<T>(plugin: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof VigilError) throw error;
    throw new InvalidPluginResultError(plugin, `failed: ${messageOf(error)}`, { cause: error });
  }
}

/** The goal's global efficacy for the indicators. @throws InvalidPluginResultError when the goal cannot compute it. */
export function globalEfficacyOf(goal: GoalPlugin, indicators: Record<string, number>): GlobalEfficacy[] {
  const plugin = `goal ${goal.name}`;
  const entries: unknown = call(plugin, () => goal.globalEfficacy(indicators));
  if (!Array.isArray(entries))
    throw new InvalidPluginResultError(plugin, 'returned a global efficacy that is not a list');
  for (const entry of entries) {
    if (typeof entry?.name !== 'string' || !Number.isFinite(entry.value))
      throw new InvalidPluginResultError(plugin, `returned a global efficacy without name and number: ${show(entry)}`);
  }
  return entries;
}

/**
 * Actions as the planner arranges them. Each has a uuid, and its parents precede it, so that no circle can block an
 * applier.
 * @throws InvalidPluginResultError otherwise, and the errors of the planner.
 */
export function planWith(planner: PlannerPlugin, ...given: Parameters<PlannerPlugin['plan']>): PlannedAction[] {
  const plugin = `planner ${planner.name}`;
  const planned: unknown = call(plugin, () => planner.plan(...given));
  if (!Array.isArray(planned)) throw new InvalidPluginResultError(plugin, 'returned no list of actions');
  const before = new Set<string>();
  for (const action of planned as (Partial<PlannedAction> | null)[]) {
    const { uuid, actionType, parents } = action ?? {};
    if (typeof uuid !== 'string' || typeof actionType !== 'string' || !Array.isArray(parents))
      throw new InvalidPluginResultError(plugin, 'returned an action without uuid, actionType or parents');
    if (before.has(uuid)) throw new InvalidPluginResultError(plugin, `gave two actions the uuid ${uuid}`);
    const wrong = parents.find((parent) => !before.has(parent));
    if (wrong !== undefined)
      throw new InvalidPluginResultError(
        plugin,
        `has ${actionType} ${uuid} wait for ${wrong}, which does not stand before it`,
      );
    before.add(uuid);
  }
  return planned;
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    typeof inner === 'number' && !Number.isFinite(inner) ? String(inner) : inner,
  );
}
