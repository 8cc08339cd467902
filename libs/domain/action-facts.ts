/** Facts about a built-in action type that planners, audits and lists use. */
export interface ActionFacts {
  /** The resource that it moves. Null: none. */
  moves: 'instance' | 'volume' | null;
  /** Whether it copies memory or disks. Its duration then grows with the size of its resource. */
  copiesData: boolean;
  /** Whether it changes only hosts that its parameters name. Otherwise the cloud may choose one. */
  isConfined: boolean;
  /** Whether it irreversibly takes an instance out of service. Starting such an action needs a policy rule. */
  removesInstance: boolean;
  /** Weight for planner `weight`, which runs heavier types first, and the number of parallel actions (at least 1). */
  weighting: { weight: number; parallelization: number };
}

const stationary = { moves: null, copiesData: false, isConfined: true, removesInstance: false } as const;
const copying = { copiesData: true, isConfined: false, removesInstance: false } as const;
const removing = { moves: null, copiesData: false, isConfined: false, removesInstance: true } as const;

/** By action type. Types of Watcher have Watcher's weights. */
export const actionFacts: Readonly<Record<string, ActionFacts>> = {
  migrate: { ...copying, moves: 'instance', weighting: { weight: 30, parallelization: 2 } },
  evacuate: { ...copying, moves: 'instance', weighting: { weight: 32, parallelization: 2 } },
  resize: { ...copying, moves: null, weighting: { weight: 20, parallelization: 2 } },
  volume_migrate: { ...copying, moves: 'volume', isConfined: true, weighting: { weight: 60, parallelization: 2 } },
  nop: { ...stationary, weighting: { weight: 70, parallelization: 1 } },
  change_nova_service_state: { ...stationary, weighting: { weight: 50, parallelization: 1 } },
  sleep: { ...stationary, weighting: { weight: 40, parallelization: 1 } },
  shelve: { ...removing, weighting: { weight: 37, parallelization: 2 } },
  stop: { ...stationary, weighting: { weight: 35, parallelization: 2 } },
  delete: { ...removing, weighting: { weight: 33, parallelization: 2 } },
  change_node_power_state: { ...stationary, weighting: { weight: 9, parallelization: 2 } },
};

const typesWith = (has: (facts: ActionFacts) => boolean) =>
  Object.entries(actionFacts).flatMap(([type, facts]) => (has(facts) ? type : []));

/** Types of actions that move an instance to another host. */
export const movingActionTypes: readonly string[] = typesWith(({ moves }) => moves === 'instance');

/** Types of actions that move a volume to another pool or type. */
export const volumeActionTypes: readonly string[] = typesWith(({ moves }) => moves === 'volume');

/** Types of actions whose duration grows with the size of their resource. */
export const copyingActionTypes: readonly string[] = typesWith(({ copiesData }) => copiesData);

/** Types of actions that irreversibly take an instance out of service. */
export const removingActionTypes: readonly string[] = typesWith(({ removesInstance }) => removesInstance);
