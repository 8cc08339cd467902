import type { PlannerPlugin } from '#libs/plugin-kit';

/**
 * Leaves the actions of a strategy as they are. The planners of Vigil leave out migrations that the rules refuse, so
 * their plans would hide the faults of a strategy.
 *
 * The graph of its plans has no edges, and nothing carries them out.
 */
const asProposed: PlannerPlugin = {
  kind: 'planner',
  name: 'as_proposed',
  description: 'The actions in the order in which the strategy proposes them',
  plan: (actions, { newUuid }) => actions.map((action) => ({ ...action, uuid: newUuid(), parents: [] })),
};

/** The plugins of this module, as the runner of strategies loads them. */
export const plugins = [asProposed];

/** How the runner finds the planner. */
export const asProposedSource = {
  kind: 'planner' as const,
  name: asProposed.name,
  moduleUrl: import.meta.url,
  exportName: 'plugins',
};
