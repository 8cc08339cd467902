import { type ActionRegistry, actionCatalogue, createActionRegistry } from '#libs/actions';
import {
  createPluginRegistry,
  loadConfiguredPlugins,
  loadPlugins,
  type PluginFault,
  type PluginRegistry,
} from '#libs/plugin-kit';

/**
 * The built-in action types and those of the plugins that the configuration names; what else the plugins bring is for the
 * decision engine.
 * @throws OperatorError when `strict` and a plugin is missing, broken, or has the name of another one.
 */
export async function loadActions(
  pluginNames: readonly string[],
  { strict }: { strict: boolean },
): Promise<{ actions: ActionRegistry; loaded: ReturnType<PluginRegistry['loaded']>; faults: PluginFault[] }> {
  const { registry, faults } = await loadConfiguredPlugins(pluginNames, loadRegistry, { strict });
  const loaded = registry.loaded().filter(({ kind }) => kind === 'action');
  return { actions: createActionRegistry(registry.actions()), loaded, faults };
}

async function loadRegistry(pluginNames: readonly string[]): Promise<PluginRegistry> {
  const registry = createPluginRegistry();
  registry.add(actionCatalogue, { label: 'vigil', moduleUrl: '#libs/actions', exportName: 'actionCatalogue' });
  await loadPlugins(pluginNames, registry);
  return registry;
}
