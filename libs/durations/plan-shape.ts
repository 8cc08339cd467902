import { type DurationKind, durationKind } from './duration-kind.ts';

/** An action of a plan, as far as its duration depends on it. */
export interface TimedAction {
  uuid: string;
  /** Of an action that undoes another, the type of that. */
  actionType: string;
  migrationType: string | null;
  /** MiB of memory, GiB of a volume. Null where it is not known. */
  size: number | null;
  /** Seconds that the action states itself, as `sleep` does. */
  duration: number | null;
  /** Hosts that a migration leaves and enters. Null where there is none, or Nova chooses it. */
  sourceHost: string | null;
  destinationHost: string | null;
  parents: readonly string[];
}

/** Dependencies of a plan in compact form: actions in an order in which each follows its parents. */
export interface PlanShape {
  /** Uuids in the order of all other columns. */
  uuids: readonly string[];
  /** Kinds that occur. */
  kinds: readonly DurationKind[];
  /** Place of the kind of each action. */
  kindOf: Uint16Array;
  /** NaN where it is not known. */
  sizes: Float64Array;
  /** Seconds that an action states itself. NaN: as others of its kind. */
  ownSeconds: Float64Array;
  /** The parents of the action `i` are `parents[starts[i]]` to before `parents[starts[i + 1]]`. */
  starts: Uint32Array;
  parents: Uint32Array;
  /** Names that actions occupy, as appliers count them: `source:HOST`, `destination:HOST`, `network:NAME`. */
  lanes: readonly string[];
  /** Places in `lanes` that each action occupies. */
  lanesOf: readonly (readonly number[])[];
}

/** Progress of a plan, by uuid: ended actions, and the running time of others in seconds. The rest has not started. */
export interface PlanProgress {
  ended: ReadonlySet<string>;
  runningSeconds: ReadonlyMap<string, number>;
}

/**
 * Makes the shape of the actions of one plan. Of a circle, which no planner makes, one edge is left out.
 * @param networksOf names of the migration networks of hosts. Default: none.
 */
export function shapeOf(
  actions: readonly TimedAction[],
  networksOf: (hosts: readonly string[]) => readonly string[] = () => [],
): PlanShape {
  const sorted = parentsFirst(actions);
  const placeOf = new Map(sorted.map(({ uuid }, at) => [uuid, at]));
  const kindNames = sorted.map((action) => durationKind(action.actionType, action.migrationType));
  const kinds = [...new Set(kindNames)];
  const parentsOf = sorted.map((action, at) =>
    [...new Set(action.parents)].flatMap((uuid) => placeOf.get(uuid) ?? []).filter((parent) => parent < at),
  );
  const starts = new Uint32Array(sorted.length + 1);
  for (const [at, parents] of parentsOf.entries()) starts[at + 1] = (starts[at] ?? 0) + parents.length;
  const occupied = sorted.map((action) => lanesOf(action, networksOf));
  const lanes = [...new Set(occupied.flat())];
  const laneAt = new Map(lanes.map((name, at) => [name, at]));
  return {
    uuids: sorted.map(({ uuid }) => uuid),
    kinds,
    kindOf: Uint16Array.from(kindNames, (kind) => kinds.indexOf(kind)),
    sizes: Float64Array.from(sorted, ({ size }) => size ?? Number.NaN),
    ownSeconds: Float64Array.from(sorted, ({ duration }) => duration ?? Number.NaN),
    starts,
    parents: Uint32Array.from(parentsOf.flat()),
    lanes,
    lanesOf: occupied.map((names) => names.map((name) => laneAt.get(name) ?? 0)),
  };
}

function lanesOf(
  { sourceHost, destinationHost }: TimedAction,
  networksOf: (hosts: readonly string[]) => readonly string[],
): string[] {
  const hosts = [sourceHost, destinationHost].filter((host) => host !== null);
  return [
    ...(sourceHost === null ? [] : [`source:${sourceHost}`]),
    ...(destinationHost === null ? [] : [`destination:${destinationHost}`]),
    ...networksOf(hosts).map((name) => `network:${name}`),
  ];
}

function parentsFirst<Action extends TimedAction>(actions: readonly Action[]): Action[] {
  const byUuid = new Map(actions.map((action) => [action.uuid, action]));
  const children = new Map<string, Action[]>(actions.map(({ uuid }) => [uuid, []]));
  const open = new Map<string, number>();
  for (const action of actions) {
    const parents = [...new Set(action.parents)].filter((uuid) => byUuid.has(uuid));
    open.set(action.uuid, parents.length);
    for (const parent of parents) children.get(parent)?.push(action);
  }
  const order = actions.filter(({ uuid }) => open.get(uuid) === 0);
  // The list grows while it is walked: children follow their last parent.
  for (const { uuid } of order) {
    for (const child of children.get(uuid) ?? []) {
      const left = (open.get(child.uuid) ?? 0) - 1;
      open.set(child.uuid, left);
      if (left === 0) order.push(child);
    }
  }
  const placed = new Set(order.map(({ uuid }) => uuid));
  return [...order, ...actions.filter(({ uuid }) => !placed.has(uuid))];
}
