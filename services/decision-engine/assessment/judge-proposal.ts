import {
  type ComputeSnapshot,
  createStorageWhatIf,
  createWhatIf,
  instanceFlag,
  type StorageSnapshot,
  type StorageWhatIf,
  type WhatIf,
} from '#libs/cluster-model';
import { actionFacts, evacuatingActionTypes, type MoveWay, movingActionTypes, powerActionTypes } from '#libs/domain';
import type { ProposedAction } from '#libs/plugin-kit';

type Proposal = Pick<ProposedAction, 'actionType' | 'inputParameters'>;

/** An action that the model refuses. */
export interface Objection {
  /** Constraint or kind of error: objections of one kind are the same defect. */
  kind: string;
  what: string;
  action: string;
}

/** A cloud with the limits of an audit, as the strategy receives it. */
export interface JudgedModels {
  snapshot: ComputeSnapshot;
  storage?: StorageSnapshot;
}

/** An action as text. */
export function describeAction({ actionType, inputParameters }: Proposal): string {
  const {
    resource_name: name,
    resource_id: id,
    source_node: from,
    destination_node,
    destination_type,
  } = inputParameters;
  const to = destination_node ?? destination_type ?? inputParameters.state;
  return [
    `${actionType} ${String(name ?? id ?? '')}`.trim(),
    ...(from === undefined ? [] : [`from ${String(from)}`]),
    ...(to === undefined || to === null ? [] : [`to ${String(to)}`]),
  ].join(' ');
}

/**
 * Applies the proposed actions to the model of the strategy and returns the refused ones: by constraints of Nova,
 * Placement and Cinder, the scope and the rest times of the audit. The order matters only if no other order is
 * possible, because planners determine the order.
 */
export function judgeProposal({ snapshot, storage }: JudgedModels, actions: readonly Proposal[]): Objection[] {
  const model = createWhatIf(snapshot);
  const volumes = storage === undefined ? null : createStorageWhatIf(storage);
  const objections: Objection[] = [];
  let waiting: { action: Proposal; objection: Objection }[] = [];
  for (const action of actions) {
    const objection = apply(model, volumes, action);
    if (objection !== null) waiting.push({ action, objection });
  }
  for (let before = -1; waiting.length > 0 && waiting.length !== before; ) {
    before = waiting.length;
    waiting = exchanged(model, waiting).flatMap(({ action }) => {
      const objection = apply(model, volumes, action);
      return objection === null ? [] : [{ action, objection }];
    });
  }
  objections.push(...waiting.map(({ objection }) => objection), ...switchedOffInUse(model, actions));
  return objections;
}

/** Applies an action. Returns the reason when this is impossible, or null. */
function apply(model: WhatIf, volumes: StorageWhatIf | null, action: Proposal): Objection | null {
  const facts = actionFacts[action.actionType];
  switch (facts?.target) {
    case 'instance':
      return facts.moves ? migrate(model, action) : touch(model, action);
    case 'volume':
      return volumes !== null && facts.moves ? moveVolume(volumes, action) : null;
    case 'service':
      return changeService(model, action);
    default:
      return null;
  }
}

function changeService(model: WhatIf, action: Proposal): Objection | null {
  const { resource_name: name, resource_id: id, state } = action.inputParameters;
  const host = model.hostRow(String(name ?? id));
  if (host === undefined) return object(action, 'unknown-host', 'it names a host that is not in the scope');
  model.setEnabled(host, state === 'enabled');
  return null;
}

/** An action that leaves an instance on its host. */
function touch(model: WhatIf, action: Proposal): Objection | null {
  const instance = model.instanceRow(String(action.inputParameters.resource_id));
  if (instance === undefined)
    return object(action, 'unknown-instance', 'it names an instance that is not in the scope');
  const isExcluded = ((model.snapshot.instances.flags[instance] ?? 0) & instanceFlag.excluded) !== 0;
  return isExcluded ? refused(action, 'instance-excluded') : null;
}

function migrate(model: WhatIf, action: Proposal): Objection | null {
  const { resource_id, source_node, destination_node, migration_type } = action.inputParameters;
  const instance = model.instanceRow(String(resource_id));
  if (instance === undefined)
    return object(action, 'unknown-instance', 'it names an instance that is not in the scope');
  const source = model.snapshot.hostInfo[model.hostOf[instance] ?? -1]?.hostname;
  if (source_node !== undefined && source_node !== source)
    return object(action, 'wrong-source', `the instance is on ${source ?? 'no host'}`);
  const way = (migration_type ?? 'evacuate') as MoveWay;
  const sourceDown = evacuatingActionTypes.includes(action.actionType);
  const stays = model.immovable(instance, way, sourceDown);
  if (stays !== null) return refused(action, stays);
  if (destination_node === undefined || destination_node === null) return openMove(model, action, instance);
  const host = model.hostRow(String(destination_node));
  if (host === undefined) return object(action, 'unknown-host', 'it names a destination that is not in the scope');
  const refusal = model.refusal(instance, host, { way, sourceDown });
  if (refusal !== null) return refused(action, refusal);
  model.move(instance, host);
  return null;
}

/** A move whose host Nova chooses: any admitted host. */
function openMove(model: WhatIf, action: Proposal, instance: number): Objection | null {
  if ((model.snapshot.hostsOutOfScope ?? 0) > 0)
    return object(action, 'open-destination', 'Nova may choose a host out of the scope: it names no destination');
  const host = model.snapshot.hostInfo.findIndex((_, row) => model.refusal(instance, row) === null);
  if (host >= 0) model.move(instance, host);
  return null;
}

function moveVolume(volumes: StorageWhatIf, action: Proposal): Objection | null {
  const { resource_id, destination_node: node, destination_type: type } = action.inputParameters;
  const volume = volumes.volumeRow(String(resource_id));
  if (volume === undefined) return object(action, 'unknown-volume', 'it names a volume that is not in the scope');
  const stays = volumes.immovable(volume);
  if (stays !== null) return refused(action, stays);
  if (node === undefined || node === null) return null;
  const pool = volumes.poolRow(String(node));
  if (pool === undefined) return object(action, 'unknown-pool', 'it names a pool that is not in the scope');
  const newType = typeof type === 'string' ? type : undefined;
  const refusal = volumes.refusal(volume, pool, newType);
  if (refusal !== null) return refused(action, refusal);
  volumes.move(volume, pool, newType);
  return null;
}

/** Executes exchanges of two instances that each have room after the other has left. Returns the remaining moves. */
function exchanged<Waiting extends { action: Proposal }>(model: WhatIf, waiting: readonly Waiting[]): Waiting[] {
  const left = new Set(waiting);
  for (const one of waiting) {
    const partner = left.has(one)
      ? waiting.find((other) => left.has(other) && isExchange(model, one, other))
      : undefined;
    if (partner === undefined) continue;
    const [first, second] = [one, partner].map(({ action }) => rowOf(model, action)) as [number, number];
    const [from, to] = [model.hostOf[first] as number, model.hostOf[second] as number];
    model.move(first, to);
    model.move(second, from);
    left.delete(one);
    left.delete(partner);
  }
  return [...left];
}

function rowOf(model: WhatIf, { actionType, inputParameters }: Proposal): number {
  return movingActionTypes.includes(actionType) ? (model.instanceRow(String(inputParameters.resource_id)) ?? -1) : -1;
}

function isExchange(model: WhatIf, one: { action: Proposal }, other: { action: Proposal }): boolean {
  const [first, second] = [rowOf(model, one.action), rowOf(model, other.action)];
  if (first < 0 || second < 0 || first === second) return false;
  const [from, to] = [model.hostOf[first] ?? -1, model.hostOf[second] ?? -1];
  const leadsTo = ({ action }: { action: Proposal }, host: number) =>
    model.hostRow(String(action.inputParameters.destination_node)) === host;
  if (from < 0 || to < 0 || !leadsTo(one, to) || !leadsTo(other, from)) return false;
  if (model.immovable(first) !== null || model.immovable(second) !== null) return false;
  return model.refusalAfter(first, to, second) === null && model.refusalAfter(second, from, first) === null;
}

/** Machines that are switched off with instances on their hosts. */
function switchedOffInUse(model: WhatIf, actions: readonly Proposal[]): Objection[] {
  return actions.flatMap((action) => {
    const { state, resource_name: name } = action.inputParameters;
    if (!powerActionTypes.includes(action.actionType) || state !== 'off') return [];
    const host = model.hostRow(String(name));
    if (host === undefined) return [object(action, 'unknown-host', 'it names a host that is not in the scope')];
    const users = model.instancesOn(host).length;
    return users === 0 ? [] : [object(action, 'switched-off-in-use', `${users} instances are still on the host`)];
  });
}

function refused(action: Proposal, constraint: string): Objection {
  return object(action, constraint, `the model does not admit it: ${constraint}`);
}

function object(action: Proposal, kind: string, why: string): Objection {
  const known = actionFacts[action.actionType] === undefined ? 'an action' : action.actionType;
  return { kind, what: `The strategy proposes ${known} that is not possible; ${why}.`, action: describeAction(action) };
}
