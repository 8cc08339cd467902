/** Facts about a built-in action type. Planners, audits, plans and lists treat an action by them, never by its name. */
export interface ActionFacts {
  /**
   * The part of the cloud that it changes: an instance or volume (`resource_id`), or the compute service or power of a
   * host (`resource_name`, `state`). Null: none.
   */
  target: 'instance' | 'volume' | 'service' | 'power' | null;
  /** Whether it moves its instance or volume (from `source_node`) to `destination_node`. */
  moves: boolean;
  /** Whether the source of its move is a failed host, which takes no part in the move. */
  leavesFailedHost: boolean;
  /** Whether it gives its instance another flavor. Nova then chooses the host. */
  resizes: boolean;
  /** Whether it copies memory or disks. Its duration then grows with the size of its resource. */
  copiesData: boolean;
  /** Whether it changes only hosts that its parameters name. Otherwise the cloud may choose one. */
  isConfined: boolean;
  /** Whether it irreversibly takes an instance out of service. Starting such an action needs a policy rule. */
  removesInstance: boolean;
  /** Weight for planner `weight`, which runs heavier types first, and the number of parallel actions (at least 1). */
  weighting: { weight: number; parallelization: number };
}

const inPlace = { moves: false, leavesFailedHost: false, resizes: false } as const;
const stationary = { ...inPlace, copiesData: false, isConfined: true, removesInstance: false } as const;
const copying = { ...inPlace, copiesData: true, isConfined: false, removesInstance: false } as const;
const moving = { ...copying, target: 'instance', moves: true } as const;
const removing = { ...stationary, target: 'instance', isConfined: false, removesInstance: true } as const;

/** By action type. Types of Watcher have Watcher's weights. */
export const actionFacts: Readonly<Record<string, ActionFacts>> = {
  migrate: { ...moving, weighting: { weight: 30, parallelization: 2 } },
  evacuate: { ...moving, leavesFailedHost: true, weighting: { weight: 32, parallelization: 2 } },
  resize: { ...copying, target: 'instance', resizes: true, weighting: { weight: 20, parallelization: 2 } },
  volume_migrate: {
    ...copying,
    target: 'volume',
    moves: true,
    isConfined: true,
    weighting: { weight: 60, parallelization: 2 },
  },
  nop: { ...stationary, target: null, weighting: { weight: 70, parallelization: 1 } },
  change_nova_service_state: { ...stationary, target: 'service', weighting: { weight: 50, parallelization: 1 } },
  sleep: { ...stationary, target: null, weighting: { weight: 40, parallelization: 1 } },
  shelve: { ...removing, weighting: { weight: 37, parallelization: 2 } },
  stop: { ...stationary, target: 'instance', weighting: { weight: 35, parallelization: 2 } },
  delete: { ...removing, weighting: { weight: 33, parallelization: 2 } },
  change_node_power_state: { ...stationary, target: 'power', weighting: { weight: 9, parallelization: 2 } },
};

const typesWith = (has: (facts: ActionFacts) => boolean) =>
  Object.entries(actionFacts).flatMap(([type, facts]) => (has(facts) ? type : []));

/** Types of actions that move an instance to another host. */
export const movingActionTypes: readonly string[] = typesWith(({ target, moves }) => moves && target === 'instance');

/** Types of actions that move an instance off a running host. Limits for migrations count them. */
export const migratingActionTypes: readonly string[] = movingActionTypes.filter(
  (type) => actionFacts[type]?.leavesFailedHost === false,
);

/** Types of actions that bring an instance of a failed host up on another one. */
export const evacuatingActionTypes: readonly string[] = typesWith(({ leavesFailedHost }) => leavesFailedHost);

/** Types of actions that give an instance another flavor. */
export const resizingActionTypes: readonly string[] = typesWith(({ resizes }) => resizes);

/** Types of actions that move a volume to another pool or type. */
export const volumeActionTypes: readonly string[] = typesWith(({ target, moves }) => moves && target === 'volume');

/** Types of actions that enable or disable the compute service of a host. */
export const serviceActionTypes: readonly string[] = typesWith(({ target }) => target === 'service');

/** Types of actions that switch the power of a host. */
export const powerActionTypes: readonly string[] = typesWith(({ target }) => target === 'power');

/** Types of actions whose duration grows with the size of their resource. */
export const copyingActionTypes: readonly string[] = typesWith(({ copiesData }) => copiesData);

/** Types of actions that irreversibly take an instance out of service. */
export const removingActionTypes: readonly string[] = typesWith(({ removesInstance }) => removesInstance);
