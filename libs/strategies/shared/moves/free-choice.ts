import { createHintLinks, createWhatIf, type WhatIf } from '#libs/cluster-model';
import { migratingActionTypes, serviceActionTypes } from '#libs/domain';
import type { ProposedAction } from '#libs/plugin-kit';
import { hostAt } from '../hosts/rows.ts';

/** A migration of a plan. `named`: it names the destination for Nova. */
interface Move {
  instance: number;
  to: number;
  named: boolean;
}

const resources = ['vcpus', 'dedicatedCpus', 'memory', 'disk'] as const;
type Amounts = Record<(typeof resources)[number] | 'places', number>;

/** Maximum number of moves × hosts to check. In larger plans all destinations are named. */
const mostChecks = 5_000_000;

/** Words of a reason that leaves the destination to Nova. They are replaced when the destination is named. */
export const novaChooses = 'where Nova chooses';

/** Slightly more than the free amount, so that the instance no longer fits. */
const tooMuch = 1e-6;

function movesOf(model: WhatIf, actions: readonly ProposedAction[]): Move[] {
  return actions.flatMap(({ actionType, inputParameters: { resource_id: id, destination_node: named } }) => {
    const instance = migratingActionTypes.includes(actionType) ? model.instanceRow(String(id)) : undefined;
    return instance === undefined ? [] : { instance, to: model.hostOf[instance] as number, named: named !== undefined };
  });
}

/** The cloud before the moves, with the service states that the plan sets before its moves. */
function before(model: WhatIf, actions: readonly ProposedAction[]): WhatIf {
  const fresh = createWhatIf(model.snapshot);
  const seen = new Set<unknown>();
  for (const { actionType, inputParameters: input } of actions) {
    if (!serviceActionTypes.includes(actionType) || seen.has(input.resource_name)) continue;
    seen.add(input.resource_name);
    const row = fresh.hostRow(String(input.resource_name));
    if (row !== undefined) fresh.setEnabled(row, input.state === 'enabled');
  }
  return fresh;
}

function hardGroup({ snapshot: { instances, groups } }: WhatIf, instance: number) {
  const row = instances.group[instance] as number;
  const group = groups[row];
  return group === undefined || group.policy.startsWith('soft-') ? null : { row, ...group };
}

/** Maximum amount that the other moves may take of a host together. */
function othersNeed(model: WhatIf, moves: readonly Move[], total: Amounts, { instance }: Move): Amounts {
  const { instances } = model.snapshot;
  const own = model.needs(instance);
  const group = hardGroup(model, instance);
  const members = group === null ? 0 : moves.filter((move) => instances.group[move.instance] === group.row).length - 1;
  return {
    vcpus: total.vcpus - own.vcpus,
    dedicatedCpus: total.dedicatedCpus - own.dedicatedCpus,
    memory: total.memory - own.memory,
    disk: total.disk - own.disk,
    places: members,
  };
}

/** A resource that a move needs on its host and that other moves may take. */
interface Contested {
  /** Amount of it on every host before the moves. */
  free: Float64Array;
  need: number;
  others: number;
}

type Room = Record<(typeof resources)[number], Float64Array>;

/** Free amount on every host. */
function roomOf(model: WhatIf): Room {
  const { hostInfo } = model.snapshot;
  const free = hostInfo.map((_, host) => ({ ...model.free(host), dedicatedCpus: model.freeDedicatedCpus(host) }));
  const column = (resource: (typeof resources)[number]) => Float64Array.from(free, (of) => of[resource]);
  return {
    vcpus: column('vcpus'),
    dedicatedCpus: column('dedicatedCpus'),
    memory: column('memory'),
    disk: column('disk'),
  };
}

function contestedBy(model: WhatIf, room: Room, instance: number, others: Amounts): Contested[] {
  const needs = model.needs(instance);
  return resources.flatMap((resource) =>
    needs[resource] > 0 && others[resource] > 0
      ? { free: room[resource], need: needs[resource], others: others[resource] }
      : [],
  );
}

/** Minimum fraction of the others' demand that must be on a host to block the instance. */
function costToFill(contested: readonly Contested[], host: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (const { free, need, others } of contested) {
    const cost = ((free[host] as number) - need + tooMuch) / others;
    if (cost < least) least = cost;
  }
  return least;
}

/** The fraction of the other members of its group that would have to be on the host to block the instance. */
function costOfPlaces(model: WhatIf, host: number, instance: number, places: number): number {
  const { instances } = model.snapshot;
  const group = places > 0 ? hardGroup(model, instance) : null;
  if (group === null) return Number.POSITIVE_INFINITY;
  const there = model.instancesOn(host).filter((row) => instances.group[row] === group.row).length;
  return (group.maxServerPerHost - there) / places;
}

/**
 * Whether the move finds room in any order and for any choice of Nova for the others. The others together must not be
 * able to fill every host that accepts it. To block a host they need a minimum fraction of one of their resources
 * there, and the fractions of each resource sum up to at most 1.
 */
function isSafe(model: WhatIf, room: Room, { instance, named, to }: Move, others: Amounts): boolean {
  const kinds = Object.values(others).filter((amount) => amount > 0).length;
  if (others.places > 0 && hardGroup(model, instance)?.policy === 'affinity') return false;
  const contested = contestedBy(model, room, instance, others);
  const hosts = named ? [to] : model.snapshot.hostInfo.keys();
  let sum = 0;
  for (const host of hosts) {
    if (model.refusal(instance, host) !== null) continue;
    sum += Math.min(costToFill(contested, host), costOfPlaces(model, host, instance, others.places));
    if (sum > kinds) return true;
  }
  return false;
}

function isAllSafe(model: WhatIf, actions: readonly ProposedAction[], moves: readonly Move[]): boolean {
  const fresh = before(model, actions);
  const room = roomOf(fresh);
  const total: Amounts = { vcpus: 0, dedicatedCpus: 0, memory: 0, disk: 0, places: 0 };
  for (const { instance } of moves) {
    const needs = model.needs(instance);
    for (const resource of resources) total[resource] += needs[resource];
  }
  return moves.every((move) => isSafe(fresh, room, move, othersNeed(fresh, moves, total, move)));
}

/** Why Nova may not choose, as text. Null when it may. */
function whyNamed(
  model: WhatIf,
  actions: readonly ProposedAction[],
  moves: readonly Move[],
  limits: string | undefined,
): string | null {
  if (limits !== undefined) return `Nova does not know ${limits}`;
  if (model.snapshot.hostsOutOfScope !== undefined) return 'Nova could choose a host outside the scope of the audit';
  const unnamed = moves.filter(({ named }) => !named).map(({ instance }) => instance);
  if (model.snapshot.rules?.some(({ instances }) => unnamed.some((row) => instances.includes(row))))
    return "Nova does not know the operator's rules";
  const { involved } = createHintLinks(model.snapshot);
  if (unnamed.some((row) => involved.has(row))) return 'hints of instances name each other';
  const isLarge = moves.length * model.snapshot.hostInfo.length > mostChecks;
  if (!isLarge && isAllSafe(model, actions, moves)) return null;
  return 'a choice of Nova could leave no room for other migrations of the plan';
}

/**
 * Names the destinations that the model found when a choice of Nova could leave a later migration without room, leave
 * the scope of the audit, or break a rule of the operator. Otherwise returns the actions unchanged. The model must be
 * in the state after all moves.
 * @param limits of the strategy that a choice of Nova could break, as text. Default: none
 */
export function nameWhereNeeded(model: WhatIf, actions: ProposedAction[], limits?: string): ProposedAction[] {
  const moves = movesOf(model, actions);
  if (moves.every(({ named }) => named)) return actions;
  const because = whyNamed(model, actions, moves, limits);
  if (because === null) return actions;
  return actions.map((action) => {
    const [move] = movesOf(model, [action]);
    if (move === undefined || move.named) return action;
    const host = hostAt(model.snapshot, move.to).hostname;
    const { inputParameters, reason } = action;
    const summary = reason.summary.replace(novaChooses, `to ${host}`);
    return {
      ...action,
      inputParameters: { ...inputParameters, destination_node: host },
      reason: { ...reason, summary: `${summary} The destination is named: ${because}.` },
    };
  });
}
