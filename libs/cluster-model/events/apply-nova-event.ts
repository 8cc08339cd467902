import { capabilityDemands } from '../capabilities.ts';
import type { ComputeSnapshot, InstanceInfo } from '../compute-snapshot.ts';
import { hostFlag, instanceFlag } from '../compute-snapshot.ts';
import { needsTraits } from '../instance-demands.ts';
import { copyColumn, pickInstances, type UseChange, useOf, withUse, writeInstance } from './instance-rows.ts';
import { type InstanceFacts, instanceFacts, type NovaEvent } from './nova-event.ts';

/** The result of an event. `resync`: the event reports a change only in part, so the model must be collected again. */
export type EventResult =
  | { kind: 'applied'; snapshot: ComputeSnapshot }
  | { kind: 'ignored' }
  | { kind: 'resync'; reason: string };

const ignored: EventResult = { kind: 'ignored' };

/** Events whose payload has the new state of an instance: those of Watcher. */
const instanceUpdates = new Set([
  'instance.update',
  'instance.create.end',
  'instance.lock',
  'instance.unlock',
  ...[
    'pause',
    'unpause',
    'power_off',
    'power_on',
    'restore',
    'resume',
    'shelve',
    'unshelve',
    'shelve_offload',
    'shutdown',
    'suspend',
    'rescue',
    'unrescue',
    'rebuild',
    'live_migration_force_complete',
    'live_migration_post_dest',
  ].map((action) => `instance.${action}.end`),
]);
const instanceDeletes = new Set(['instance.delete.end']);

/** Placement's allocations, aggregates and groups change with these in ways that the payload does not contain. */
const resyncs =
  /^(instance\.(share_attach|share_detach|soft_delete|resize_finish|resize_confirm|resize_revert|live_migration_rollback)\.end|instance\.evacuate|service\.(create|delete)|aggregate\..*\.end|server_group\.(create|delete|add_member))$/;

/**
 * Applies one versioned Nova notification to a snapshot. Pure and idempotent: changed columns are copied, the given
 * snapshot stays unchanged.
 */
export function applyNovaEvent(snapshot: ComputeSnapshot, { eventType, payload }: NovaEvent): EventResult {
  if (eventType === 'service.update') return updateService(snapshot, payload);
  if (resyncs.test(eventType)) return { kind: 'resync', reason: `${eventType} does not report enough` };
  const isUpdate = instanceUpdates.has(eventType);
  if (!isUpdate && !instanceDeletes.has(eventType)) return ignored;
  const facts = instanceFacts(payload);
  if (facts === null) return { kind: 'resync', reason: `${eventType} lacks uuid, state or flavor` };
  return isUpdate && facts.state !== 'deleted' ? updateInstance(snapshot, facts) : removeInstance(snapshot, facts.uuid);
}

function updateService(snapshot: ComputeSnapshot, payload: Record<string, unknown>): EventResult {
  const { binary, host, disabled } = payload;
  if (binary !== 'nova-compute') return ignored;
  const rows = rowsOfHost(snapshot, String(host));
  if (rows.length === 0) return { kind: 'resync', reason: `host ${String(host)} is not known` };
  const flags = copyColumn(snapshot.hosts.flags);
  const hostInfo = [...snapshot.hostInfo];
  const isForcedDown = payload.forced_down === true;
  for (const row of rows) {
    const before = flags[row] as number;
    // The event does not say whether its heartbeat has returned.
    if ((before & hostFlag.forcedDown) !== 0 && !isForcedDown) {
      return { kind: 'resync', reason: `host ${String(host)} is no longer forced down` };
    }
    const up = isForcedDown ? 0 : before & hostFlag.up;
    flags[row] = up | (disabled === true ? 0 : hostFlag.enabled) | (isForcedDown ? hostFlag.forcedDown : 0);
    const reason = disabled === true && typeof payload.disabled_reason === 'string' ? payload.disabled_reason : null;
    hostInfo[row] = { ...(hostInfo[row] as ComputeSnapshot['hostInfo'][number]), disabledReason: reason };
  }
  return { kind: 'applied', snapshot: { ...snapshot, hostInfo, hosts: { ...snapshot.hosts, flags } } };
}

function updateInstance(snapshot: ComputeSnapshot, reported: InstanceFacts): EventResult {
  const hosts = reported.host === null ? [-1] : rowsOfHost(snapshot, reported.host);
  const [host] = hosts;
  if (host === undefined) return { kind: 'resync', reason: `host ${reported.host} is not known` };
  if (hosts.length > 1) return { kind: 'resync', reason: `host ${reported.host} has several hypervisors` };
  const isShared = snapshot.hostInfo[host]?.sharedDisk !== undefined;
  const facts = isShared ? { ...reported, disk: 0 } : reported;
  const at = placeOf(snapshot, facts.uuid);
  const isNew = snapshot.instanceInfo[at]?.uuid !== facts.uuid;
  // Nova reports a build more than once. It counts from its end.
  if (isNew && facts.state === 'building') return ignored;
  const reason = isNew ? unclearWhenNew(snapshot, facts, isShared) : unclearUse(snapshot, at, facts, host);
  if (reason !== null) return { kind: 'resync', reason };

  const rows = [...snapshot.instanceInfo.keys()];
  const instanceInfo = [...snapshot.instanceInfo];
  if (isNew) rows.splice(at, 0, -1);
  const info = isNew ? describeNew(facts, snapshot) : describe(facts, snapshot.instanceInfo[at]);
  instanceInfo.splice(at, isNew ? 0 : 1, info);
  const instances = pickInstances(snapshot.instances, rows);
  if (isNew) instances.group[at] = -1;
  writeInstance(instances, at, facts, host);
  const next = { ...snapshot, instances, instanceInfo };
  const changes: UseChange[] = isNew ? [useOf(next, at, 1)] : [useOf(snapshot, at, -1), useOf(next, at, 1)];
  const moved = isNew || changesUse(snapshot, at, facts, host);
  return { kind: 'applied', snapshot: moved ? withUse(next, changes) : next };
}

function removeInstance(snapshot: ComputeSnapshot, uuid: string): EventResult {
  const at = placeOf(snapshot, uuid);
  if (snapshot.instanceInfo[at]?.uuid !== uuid) return ignored;
  const rows = [...snapshot.instanceInfo.keys()].filter((row) => row !== at);
  const instances = pickInstances(snapshot.instances, rows);
  const instanceInfo = snapshot.instanceInfo.filter((_, row) => row !== at);
  const rest = { ...snapshot, instances, instanceInfo };
  return { kind: 'applied', snapshot: withUse(rest, [useOf(snapshot, at, -1)]) };
}

/** The missing facts in an event about an unknown instance. */
function unclearWhenNew(
  { hostInfo, instanceInfo }: ComputeSnapshot,
  facts: InstanceFacts,
  isShared: boolean,
): string | null {
  if (isShared) return `instance ${facts.uuid} takes its disk from storage that hosts share`;
  const traitsAreKnown = hostInfo.some(({ traits }) => traits.length > 0);
  if (needsTraits({ flavorExtraSpecs: facts.extraSpecs }) && !traitsAreKnown) {
    return `instance ${facts.uuid} requires traits, which were not read`;
  }
  if (capabilityDemands(facts.extraSpecs) !== null)
    return `instance ${facts.uuid} demands capabilities, which were not read`;
  // Nova's events contain no hints. In a cloud without hints, an instance counts as having none until the next
  // collection: collecting the cloud for each created instance costs more than the move that Nova then refuses.
  if (instanceInfo.some(({ hints }) => hints !== undefined)) return `the hints of instance ${facts.uuid} were not read`;
  // When no known image has host properties, the image of a new instance is assumed to have none either.
  const imagesMatter = instanceInfo.some(({ imageProperties }) => imageProperties !== undefined);
  return imagesMatter && !facts.bootedFromVolume ? `the image of instance ${facts.uuid} was not read` : null;
}

/** While a resize or cold migration waits to be confirmed, the instance holds room on two hosts. */
function unclearUse(snapshot: ComputeSnapshot, row: number, facts: InstanceFacts, host: number): string | null {
  const storageOf = (at: number) => snapshot.hostInfo[at]?.sharedDisk;
  if (storageOf(snapshot.instances.host[row] as number) !== storageOf(host))
    return `instance ${facts.uuid} has left the storage that its host shared`;
  const isResize = facts.state === 'resized' || (facts.taskState ?? '').startsWith('resize');
  if (!isResize || !changesUse(snapshot, row, facts, host)) return null;
  return `instance ${facts.uuid} is being resized`;
}

function changesUse({ instances }: ComputeSnapshot, row: number, facts: InstanceFacts, host: number): boolean {
  return (
    instances.host[row] !== host ||
    instances.vcpus[row] !== facts.vcpus ||
    instances.memory[row] !== facts.memory ||
    instances.disk[row] !== facts.disk
  );
}

/** Whether a new instance has shares is not known in clouds that have a share service. */
function describeNew(facts: InstanceFacts, { sharesRead }: ComputeSnapshot): InstanceInfo {
  return { ...describe(facts, undefined), ...(sharesRead ? { shares: 'unknown' } : {}) };
}

/** The payload of a new instance lacks the requested zone: the instance stays in its present zone. */
function describe(facts: InstanceFacts, before: InstanceInfo | undefined): InstanceInfo {
  return {
    uuid: facts.uuid,
    name: facts.name,
    projectId: facts.projectId,
    metadata: facts.metadata,
    flavorExtraSpecs: facts.extraSpecs,
    ...(facts.flavorName === '' ? {} : { flavorName: facts.flavorName }),
    ...(before?.imageProperties === undefined ? {} : { imageProperties: before.imageProperties }),
    ...(before?.sharedDiskGb === undefined ? {} : { sharedDiskGb: before.sharedDiskGb }),
    ...(before?.imageSystem === undefined ? {} : { imageSystem: before.imageSystem }),
    pinnedZone: before?.pinnedZone ?? facts.zone,
    ...(before?.capabilities === undefined ? {} : { capabilities: before.capabilities }),
    ...(before?.shares === undefined ? {} : { shares: before.shares }),
    ...(before?.ports === undefined ? {} : { ports: before.ports }),
    ...(before?.hints === undefined ? {} : { hints: before.hints }),
    created: before?.created ?? facts.created,
  };
}

function rowsOfHost({ hostInfo }: ComputeSnapshot, hostname: string): number[] {
  return [...hostInfo.keys()].filter((row) => hostInfo[row]?.hostname === hostname);
}

/** Row of the instance, or the row to insert it: instances are ordered by uuid. */
function placeOf({ instanceInfo }: ComputeSnapshot, uuid: string): number {
  let low = 0;
  let high = instanceInfo.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((instanceInfo[middle] as InstanceInfo).uuid < uuid) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Uuids of instances with a task at the time of the model: Placement may count them on two hosts. */
export function busyInstances({ instances, instanceInfo }: ComputeSnapshot): Set<string> {
  const busy = instanceInfo.filter((_, row) => ((instances.flags[row] as number) & instanceFlag.busy) !== 0);
  return new Set(busy.map(({ uuid }) => uuid));
}
