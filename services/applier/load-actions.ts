import { type ActionRegistry, actionCatalogue, createActionRegistry } from '#libs/actions';
import { createPluginRegistry, loadConfiguredPlugins, type PluginFault, type PluginRegistry } from '#libs/plugin-kit';
import { findOtherWriterWithin } from '#libs/service-kit';

/**
 * Loads the built-in action types and those of the configured plugins. The decision engine uses the other plugin parts.
 * @throws OperatorError when `strict` is set and a plugin is missing, broken, or has the name of another plugin.
 */
export async function loadActions(
  pluginNames: readonly string[],
  { strict }: { strict: boolean },
): Promise<{ actions: ActionRegistry; loaded: ReturnType<PluginRegistry['loaded']>; faults: PluginFault[] }> {
  const builtIn = createPluginRegistry();
  builtIn.add(actionCatalogue, { label: 'vigil', moduleUrl: '#libs/actions', exportName: 'actionCatalogue' });
  // The decision engine uses the other parts of a plugin, such as goals and planners.
  const options = { strict, verify: false, findOtherWriter: findOtherWriterWithin };
  const { registry, faults } = await loadConfiguredPlugins(pluginNames, builtIn, options);
  const loaded = registry.loaded().filter(({ kind }) => kind === 'action');
  return { actions: createActionRegistry(registry.actions()), loaded, faults };
}
