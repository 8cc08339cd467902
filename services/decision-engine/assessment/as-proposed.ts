import type { PlannerPlugin } from '#libs/plugin-kit';

/**
 * A planner that keeps the actions of a strategy unchanged. Vigil's planners omit migrations that the rules refuse, so
 * their plans would hide faults of a strategy.
 *
 * Its plans have no edges and are never executed.
 */
const asProposed: PlannerPlugin = {
  kind: 'planner',
  name: 'as_proposed',
  description: 'The actions in the order in which the strategy proposes them',
  plan: (actions, { newUuid }) => actions.map((action) => ({ ...action, uuid: newUuid(), parents: [] })),
};

/** The plugins of this module, as the runner of strategies loads them. */
export const plugins = [asProposed];

/** Locates the planner for the runner. */
export const asProposedSource = {
  kind: 'planner' as const,
  name: asProposed.name,
  moduleUrl: import.meta.url,
  exportName: 'plugins',
};
