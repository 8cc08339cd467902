import { createWhatIf, type WhatIf } from '#libs/cluster-model';
import type { ProposedAction } from '#libs/plugin-kit';
import { hostAt } from './rows.ts';

/** A migration of a plan; `named` when it tells Nova where to go. */
interface Move {
  instance: number;
  to: number;
  named: boolean;
}

const resources = ['vcpus', 'dedicatedCpus', 'memory', 'disk'] as const;
type Amounts = Record<(typeof resources)[number] | 'places', number>;

/** Moves times hosts that are looked at; in larger plans all destinations are named. */
const mostQuestions = 5_000_000;

/** A little more than is left, so that the instance does not fit any more. */
const tooMuch = 1e-6;

function movesOf(model: WhatIf, actions: readonly ProposedAction[]): Move[] {
  return actions.flatMap(({ actionType, inputParameters: { resource_id: id, destination_node: named } }) => {
    const instance = actionType === 'migrate' ? model.instanceRow(String(id)) : undefined;
    return instance === undefined ? [] : { instance, to: model.hostOf[instance] as number, named: named !== undefined };
  });
}

/** The cloud before the moves, with services as the plan sets them before it moves anything. */
function before(model: WhatIf, actions: readonly ProposedAction[]): WhatIf {
  const fresh = createWhatIf(model.snapshot);
  const seen = new Set<unknown>();
  for (const { actionType, inputParameters: input } of actions) {
    if (actionType !== 'change_nova_service_state' || seen.has(input.resource_name)) continue;
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

/** What the other moves may take of a host together. */
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

/** The least part of what others need that would have to lie on the host to keep the instance out. */
function costToFill(model: WhatIf, host: number, instance: number, others: Amounts): number {
  const { instances } = model.snapshot;
  const free = { ...model.free(host), dedicatedCpus: model.freeDedicatedCpus(host) };
  const needs = model.needs(instance);
  const costs = resources.flatMap((resource) => {
    const need = needs[resource];
    const left = free[resource] - need + tooMuch;
    return need > 0 && others[resource] > 0 ? left / others[resource] : [];
  });
  const group = hardGroup(model, instance);
  if (group !== null && others.places > 0) {
    const there = model.instancesOn(host).filter((row) => instances.group[row] === group.row).length;
    costs.push((group.maxServerPerHost - there) / others.places);
  }
  return Math.min(Number.POSITIVE_INFINITY, ...costs);
}

/**
 * Whether the move finds room whatever Nova chooses for the others and in whatever order: all others together can not fill
 * every host that takes it. To keep it out of a host they need at least a part of one resource there, and they have only one
 * whole of each.
 */
function isSafe(model: WhatIf, move: Move, others: Amounts): boolean {
  const kinds = Object.values(others).filter((amount) => amount > 0).length;
  if (others.places > 0 && hardGroup(model, move.instance)?.policy === 'affinity') return false;
  const hosts = move.named ? [move.to] : model.snapshot.hostInfo.keys();
  let sum = 0;
  for (const host of hosts) {
    if (model.refusal(move.instance, host) !== null) continue;
    sum += costToFill(model, host, move.instance, others);
    if (sum > kinds) return true;
  }
  return false;
}

function isAllSafe(model: WhatIf, actions: readonly ProposedAction[], moves: readonly Move[]): boolean {
  const fresh = before(model, actions);
  const total: Amounts = { vcpus: 0, dedicatedCpus: 0, memory: 0, disk: 0, places: 0 };
  for (const { instance } of moves) {
    const needs = model.needs(instance);
    for (const resource of resources) total[resource] += needs[resource];
  }
  return moves.every((move) => isSafe(fresh, move, othersNeed(fresh, moves, total, move)));
}

/**
 * Names the destinations that the model found, for the migrations that were left to Nova's choice, when a choice of Nova could
 * leave a later one without room; else the actions as they are. Call with the model after all moves.
 */
export function nameWhereNeeded(model: WhatIf, actions: ProposedAction[]): ProposedAction[] {
  const moves = movesOf(model, actions);
  if (moves.every(({ named }) => named)) return actions;
  const isLarge = moves.length * model.snapshot.hostInfo.length > mostQuestions;
  if (!isLarge && isAllSafe(model, actions, moves)) return actions;
  return actions.map((action) => {
    const [move] = movesOf(model, [action]);
    if (move === undefined || move.named) return action;
    const host = hostAt(model.snapshot, move.to).hostname;
    const { inputParameters, reason } = action;
    const why = `Its destination is ${host}: a choice of Nova could leave no room for other migrations of the plan.`;
    return {
      ...action,
      inputParameters: { ...inputParameters, destination_node: host },
      reason: { ...reason, summary: `${reason.summary} ${why}` },
    };
  });
}
