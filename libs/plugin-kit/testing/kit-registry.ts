import { actionCatalogue } from '#libs/actions';
import { goalCatalogue } from '#libs/goals';
import { plannerCatalogue } from '#libs/planners';
import type { VigilPlugin } from '../plugin.ts';
import { createPluginRegistry, type PluginRegistry } from '../registry.ts';
import type { StrategyPlugin } from '../strategy.ts';

let builtIn: PluginRegistry | undefined;

/** The goals, planners and action types of Vigil. */
function builtInParts(): PluginRegistry {
  if (builtIn) return builtIn;
  builtIn = createPluginRegistry();
  builtIn.add(goalCatalogue, { label: 'vigil', moduleUrl: '#libs/goals', exportName: 'goalCatalogue' });
  builtIn.add(plannerCatalogue, { label: 'vigil', moduleUrl: '#libs/planners', exportName: 'plannerCatalogue' });
  builtIn.add(actionCatalogue, { label: 'vigil', moduleUrl: '#libs/actions', exportName: 'actionCatalogue' });
  return builtIn;
}

/**
 * The strategy under test, other plugins of its author, and the parts of Vigil that a strategy refers to.
 * @throws OperatorError on a broken manifest, a name that is taken, or a goal or planner that does not exist.
 */
export function registryFor(strategy: StrategyPlugin<object>, plugins: readonly VigilPlugin[]): PluginRegistry {
  const registry = builtInParts().copy();
  const others = plugins.filter((plugin) => plugin !== strategy);
  registry.add([strategy, ...others], { label: 'testing kit', moduleUrl: 'testing:kit', exportName: 'plugins' });
  registry.verify();
  return registry;
}
