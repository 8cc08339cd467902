import { utcTime } from '../storage/storage-builder.ts';
import {
  isMigrating,
  type StoragePoolInfo,
  type StorageSnapshot,
  type StorageVolumeInfo,
} from '../storage/storage-snapshot.ts';
import { objectFields } from './nova-event.ts';

/** A notification of Cinder without its envelopes. */
export interface CinderEvent {
  /** Such as `volume.attach.end`. */
  eventType: string;
  payload: Record<string, unknown>;
}

/** As for Nova's events. `resync`: the storage model must be collected again. */
export type StorageEventResult =
  | { kind: 'applied'; snapshot: StorageSnapshot }
  | { kind: 'ignored' }
  | { kind: 'resync'; reason: string };

type Fields = Record<string, unknown>;

/** Events whose payload has the new state of a volume: those of Watcher, and `extend`, Cinder's name of a resize. */
const volumeUpdates = new Set(
  ['create', 'update', 'attach', 'detach', 'resize', 'extend'].map((action) => `volume.${action}.end`),
);
/** Pool, type or snapshots of a volume change with these in ways that the payload does not contain. */
const resyncs =
  /^(volume\.(retype|migrat.*|manage_existing\.end|unmanage\.end|revert\.end|transfer\.accept\.end)|snapshot\.delete\.end)$/;

/**
 * Reads a notification (the content of `oslo.message`), plain as Cinder sends them or a versioned object. Null when it
 * concerns neither volumes nor pools.
 */
export function readCinderEvent(message: Fields): CinderEvent | null {
  const { event_type: eventType, publisher_id: publisher, payload } = message;
  if (typeof eventType !== 'string' || typeof publisher !== 'string') return null;
  if (!/^(volume|capacity|snapshot)\./.test(publisher) && !/^cinder-/.test(publisher)) return null;
  if (!/^(volume|capacity|snapshot)\./.test(eventType)) return null;
  const fields = objectFields(payload) ?? (isRecord(payload) ? payload : null);
  return fields && { eventType, payload: fields };
}

/**
 * Applies one Cinder notification to a snapshot. Pure and idempotent. Computes the use of the pool until the next
 * `capacity.pool` reports it.
 */
export function applyCinderEvent(snapshot: StorageSnapshot, { eventType, payload }: CinderEvent): StorageEventResult {
  if (eventType === 'capacity.pool') return updatePool(snapshot, payload);
  if (resyncs.test(eventType)) return { kind: 'resync', reason: `${eventType} does not report enough` };
  if (eventType === 'volume.delete.end') return removeVolume(snapshot, String(payload.volume_id));
  if (eventType === 'snapshot.create.end') return markSnapshot(snapshot, String(payload.volume_id));
  return volumeUpdates.has(eventType) ? updateVolume(snapshot, eventType, payload) : { kind: 'ignored' };
}

function updatePool(snapshot: StorageSnapshot, payload: Fields): StorageEventResult {
  const row = snapshot.pools.findIndex(({ name }) => name === payload.name_to_id);
  const pool = snapshot.pools[row];
  if (pool === undefined) return { kind: 'resync', reason: `pool ${String(payload.name_to_id)} is not known` };
  const changed: StoragePoolInfo = {
    ...pool,
    totalGb: sizeOr(payload.total, pool.totalGb),
    freeGb: sizeOr(payload.free, pool.freeGb),
    provisionedGb: sizeOr(payload.provisioned, pool.provisionedGb),
    allocatedGb: sizeOr(payload.allocated, pool.allocatedGb),
    // The event is newer than the listing.
    reportedAtMs: undefined,
  };
  return applied({ ...snapshot, pools: snapshot.pools.with(row, changed) });
}

/**
 * Why an event may come from a migration, which Cinder reports misleadingly: the temporary volume appears to be in use,
 * the real one loses its server in its old pool, and the arrival is not reported. Null for a genuine event.
 */
function doubtOf(
  eventType: string,
  payload: Fields,
  before: StorageVolumeInfo | undefined,
  takenAtMs: number,
): string | null {
  const { volume_id: uuid, status, host, volume_attachment: attachments } = payload;
  if (before === undefined) {
    if (eventType === 'volume.create.end' && !isOlder(payload.created_at, takenAtMs)) return null;
    return `volume ${String(uuid)} is not known; it may be the temporary one of a migration`;
  }
  if (isMigrating(before)) return `volume ${String(uuid)} was on its way to another pool`;
  if (before.host !== '' && typeof host === 'string' && host !== before.host)
    return `volume ${String(uuid)} is reported in ${host}; the event may be from before it left that pool`;
  const isShared = Array.isArray(attachments) && attachments.length > 0;
  const isPlain = status === 'available' || (status === 'in-use' && isShared);
  if (eventType !== 'volume.detach.end' || isPlain) return null;
  return `volume ${String(uuid)} has lost a server and is ${String(status)}; it may be on its way to another pool`;
}

/** Whether a volume predates the listing, which does not have it. It was deleted since, or belongs to a migration. */
function isOlder(createdAt: unknown, takenAtMs: number): boolean {
  return (utcTime(createdAt) ?? takenAtMs) < takenAtMs;
}

function updateVolume(snapshot: StorageSnapshot, eventType: string, payload: Fields): StorageEventResult {
  const { volume_id: uuid, size, status, host, volume_type: typeId } = payload;
  if (typeof uuid !== 'string' || typeof size !== 'number' || typeof status !== 'string') {
    return { kind: 'resync', reason: 'a volume event lacks volume_id, size or status' };
  }
  const before = snapshot.volumes.find((volume) => volume.uuid === uuid);
  const doubt = doubtOf(eventType, payload, before, snapshot.takenAtMs);
  if (doubt !== null) return { kind: 'resync', reason: doubt };
  const hostName = typeof host === 'string' ? host : '';
  const pool = snapshot.pools.findIndex(({ name }) => name === hostName);
  if (pool < 0 && hostName !== '') return { kind: 'resync', reason: `pool ${hostName} is not known` };
  const type = snapshot.types.find(({ id, name }) => id === typeId || name === typeId);
  if (type === undefined && typeof typeId === 'string' && typeId !== '') {
    return { kind: 'resync', reason: `volume type ${typeId} is not known` };
  }
  const volume: StorageVolumeInfo = {
    uuid,
    name: textOr(payload.display_name, before?.name ?? ''),
    sizeGb: size,
    status,
    type: type?.name ?? null,
    pool,
    host: hostName,
    serverUuids: serversOf(payload, before),
    bootable: before?.bootable ?? hasEntries(payload.glance_metadata),
    migrationStatus: before?.migrationStatus ?? null,
    hasSnapshots: before?.hasSnapshots ?? false,
    grouped: before?.grouped,
    replicated: before?.replicated,
    encrypted: before?.encrypted,
    projectId: textOr(payload.tenant_id, before?.projectId ?? ''),
    createdAt: textOr(payload.created_at, before?.createdAt ?? ''),
  };
  return applied(withVolume(snapshot, before, volume));
}

function withVolume(
  snapshot: StorageSnapshot,
  before: StorageVolumeInfo | undefined,
  volume: StorageVolumeInfo,
): StorageSnapshot {
  const others = snapshot.volumes.filter(({ uuid }) => uuid !== volume.uuid);
  const place = others.findIndex(({ uuid }) => uuid > volume.uuid);
  const volumes = others.toSpliced(place < 0 ? others.length : place, 0, volume);
  return { ...snapshot, volumes, pools: repooled(snapshot.pools, before, volume) };
}

function removeVolume(snapshot: StorageSnapshot, uuid: string): StorageEventResult {
  const volume = snapshot.volumes.find((one) => one.uuid === uuid);
  if (volume === undefined) return { kind: 'ignored' };
  const volumes = snapshot.volumes.filter((one) => one !== volume);
  return applied({ ...snapshot, volumes, pools: repooled(snapshot.pools, volume, undefined) });
}

function markSnapshot(snapshot: StorageSnapshot, uuid: string): StorageEventResult {
  const at = snapshot.volumes.findIndex((one) => one.uuid === uuid);
  const volume = snapshot.volumes[at];
  if (volume === undefined) return { kind: 'ignored' };
  return applied({ ...snapshot, volumes: snapshot.volumes.with(at, { ...volume, hasSnapshots: true }) });
}

/** The pools after a volume changed from the former to the new state. */
function repooled(
  pools: StoragePoolInfo[],
  before: StorageVolumeInfo | undefined,
  after: StorageVolumeInfo | undefined,
): StoragePoolInfo[] {
  if (before?.pool === after?.pool && before?.sizeGb === after?.sizeGb) return pools;
  return pools.map((pool, row) => {
    const taken = (after?.pool === row ? after.sizeGb : 0) - (before?.pool === row ? before.sizeGb : 0);
    if (taken === 0) return pool;
    return {
      ...pool,
      freeGb: pool.thin ? pool.freeGb : plus(pool.freeGb, -taken),
      provisionedGb: plus(pool.provisionedGb, taken),
      allocatedGb: plus(pool.allocatedGb, taken),
    };
  });
}

function plus(size: number | null, change: number): number | null {
  return size === null ? null : Math.max(0, size + change);
}

function serversOf(payload: Fields, before: StorageVolumeInfo | undefined): string[] {
  const { volume_attachment: attachments } = payload;
  if (!Array.isArray(attachments)) return before?.serverUuids ?? [];
  return attachments.flatMap((one) => (typeof one?.instance_uuid === 'string' ? [one.instance_uuid] : []));
}

function applied(snapshot: StorageSnapshot): StorageEventResult {
  return { kind: 'applied', snapshot };
}

/** Cinder writes `infinite` and `unknown` when a backend reports no number. */
function sizeOr(value: unknown, otherwise: number | null): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

function hasEntries(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
