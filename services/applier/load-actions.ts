import { type ActionRegistry, actionCatalogue, createActionRegistry } from '#libs/actions';
import { createPluginRegistry, loadConfiguredPlugins, type PluginFault, type PluginRegistry } from '#libs/plugin-kit';
import { findOtherWriterWithin } from '#libs/service-kit';

/**
 * The built-in action types and those of the plugins that the configuration names. What else the plugins bring is for
 * the decision engine.
 * @throws OperatorError when `strict` and a plugin is missing, broken, or has the name of another one.
 */
export async function loadActions(
  pluginNames: readonly string[],
  { strict }: { strict: boolean },
): Promise<{ actions: ActionRegistry; loaded: ReturnType<PluginRegistry['loaded']>; faults: PluginFault[] }> {
  const builtIn = createPluginRegistry();
  builtIn.add(actionCatalogue, { label: 'vigil', moduleUrl: '#libs/actions', exportName: 'actionCatalogue' });
  // What else a plugin brings is for the decision engine, and so are the goals and planners that it names.
  const options = { strict, verify: false, findOtherWriter: findOtherWriterWithin };
  const { registry, faults } = await loadConfiguredPlugins(pluginNames, builtIn, options);
  const loaded = registry.loaded().filter(({ kind }) => kind === 'action');
  return { actions: createActionRegistry(registry.actions()), loaded, faults };
}
