import { actionCatalogue } from '#libs/actions';
import { messageOf } from '#libs/domain';
import { goalCatalogue } from '#libs/goals';
import { plannerCatalogue } from '#libs/planners';
import { createPluginRegistry, loadPlugins, type PluginRegistry } from '#libs/plugin-kit';
import { scoringCatalogue } from '#libs/scoring';
import { strategyCatalogue } from '#libs/strategies';

/** A plugin that could not be loaded. */
export interface PluginFault {
  /** Its entry in `VIGIL_PLUGINS`. */
  plugin: string;
  reason: string;
}

/**
 * The built-in plugins and those that the configuration names.
 * @throws OperatorError on a plugin that is missing, broken, or has the name of another one.
 */
export async function loadRegistry(pluginNames: readonly string[]): Promise<PluginRegistry> {
  const registry = createPluginRegistry();
  registry.add(goalCatalogue, { label: 'vigil', moduleUrl: '#libs/goals', exportName: 'goalCatalogue' });
  registry.add(plannerCatalogue, { label: 'vigil', moduleUrl: '#libs/planners', exportName: 'plannerCatalogue' });
  registry.add(actionCatalogue, { label: 'vigil', moduleUrl: '#libs/actions', exportName: 'actionCatalogue' });
  registry.add(scoringCatalogue, { label: 'vigil', moduleUrl: '#libs/scoring', exportName: 'scoringCatalogue' });
  registry.add(strategyCatalogue, { label: 'vigil', moduleUrl: '#libs/strategies', exportName: 'strategyCatalogue' });
  await loadPlugins(pluginNames, registry);
  registry.verify();
  return registry;
}

/**
 * The same, but what is broken is left out and reported, and whatever else works is loaded. A plugin that needs another one
 * is loaded after it, wherever it stands.
 */
export async function loadWorkingPlugins(
  pluginNames: readonly string[],
): Promise<{ registry: PluginRegistry; faults: PluginFault[] }> {
  const accepted: string[] = [];
  let registry = await loadRegistry([]);
  let waiting = [...pluginNames];
  for (;;) {
    const faults: PluginFault[] = [];
    for (const plugin of waiting) {
      try {
        registry = await loadRegistry([...accepted, plugin]);
        accepted.push(plugin);
      } catch (error) {
        faults.push({ plugin, reason: messageOf(error) });
      }
    }
    if (faults.length === 0 || faults.length === waiting.length) return { registry, faults };
    waiting = faults.map(({ plugin }) => plugin);
  }
}
