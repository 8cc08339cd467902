import { actionCatalogue } from '#libs/actions';
import { goalCatalogue } from '#libs/goals';
import { plannerCatalogue } from '#libs/planners';
import { createPluginRegistry, type PluginRegistry } from '#libs/plugin-kit';
import { scoringCatalogue } from '#libs/scoring';
import { strategyCatalogue } from '#libs/strategies';

/** The plugins that Vigil brings itself. */
export function builtInPlugins(): PluginRegistry {
  const registry = createPluginRegistry();
  registry.add(goalCatalogue, { label: 'vigil', moduleUrl: '#libs/goals', exportName: 'goalCatalogue' });
  registry.add(plannerCatalogue, { label: 'vigil', moduleUrl: '#libs/planners', exportName: 'plannerCatalogue' });
  registry.add(actionCatalogue, { label: 'vigil', moduleUrl: '#libs/actions', exportName: 'actionCatalogue' });
  registry.add(scoringCatalogue, { label: 'vigil', moduleUrl: '#libs/scoring', exportName: 'scoringCatalogue' });
  registry.add(strategyCatalogue, { label: 'vigil', moduleUrl: '#libs/strategies', exportName: 'strategyCatalogue' });
  return registry;
}
