import type { Snapshot, StoragePool, StorageService, Volume, VolumeType } from '#libs/openstack';
import {
  isTemporary,
  type StorageNodeInfo,
  type StoragePoolInfo,
  type StorageSnapshot,
  type StorageTypeInfo,
  type StorageVolumeInfo,
} from './storage-snapshot.ts';

/** Responses of Cinder. */
export interface StorageModelInput {
  services: StorageService[];
  pools: StoragePool[];
  volumes: Volume[];
  types: VolumeType[];
  snapshots: Snapshot[];
  /** Milliseconds since 1970. */
  takenAtMs: number;
  /** Texts about data that could not be read. */
  gaps?: string[];
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** `host@backend` of a pool name. */
function nodeOf(pool: string): string {
  return pool.split('#', 1)[0] as string;
}

/** `backend` of a node or pool name. The whole name without one. */
function backendOf(name: string): string {
  const node = nodeOf(name);
  return node.slice(node.indexOf('@') + 1);
}

function describeNode(service: StorageService, types: StorageTypeInfo[], pools: StoragePool[]): StorageNodeInfo {
  const names = new Set([backendOf(service.host)]);
  for (const pool of pools) {
    if (nodeOf(pool.name) === service.host && pool.volumeBackendName !== null) names.add(pool.volumeBackendName);
  }
  const isServed = ({ extraSpecs }: StorageTypeInfo) => names.has(extraSpecs.volume_backend_name ?? '');
  return {
    host: service.host,
    zone: service.zone,
    enabled: service.status === 'enabled',
    up: service.state === 'up',
    volumeTypes: types.filter(isServed).map(({ name }) => name),
  };
}

function numberOf(text: string | undefined, fallback: number): number {
  const value = Number.parseFloat(text ?? '');
  return Number.isFinite(value) ? value : fallback;
}

function describePool(pool: StoragePool, nodeRows: Map<string, number>): StoragePoolInfo {
  const { capabilities } = pool;
  return {
    name: pool.name,
    node: nodeRows.get(nodeOf(pool.name)) ?? -1,
    backendName: pool.volumeBackendName ?? backendOf(pool.name),
    totalGb: pool.totalCapacityGb,
    freeGb: pool.freeCapacityGb,
    provisionedGb: pool.provisionedCapacityGb,
    allocatedGb: pool.allocatedCapacityGb,
    reservedShare: numberOf(capabilities.reserved_percentage, 0) / 100,
    thin: capabilities.thin_provisioning_support?.toLowerCase() === 'true',
    maxOverSubscriptionRatio: Math.max(1, numberOf(capabilities.max_over_subscription_ratio, 1)),
    capabilities,
    reportedAtMs: utcTime(capabilities.timestamp),
  };
}

/** Milliseconds since 1970 of a Cinder time, in UTC unless it has a zone. Undefined for other values. */
export function utcTime(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined;
  const time = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(time) ? undefined : time;
}

function describeVolume(volume: Volume, pools: Map<string, number>, withSnapshots: Set<string>): StorageVolumeInfo {
  const { migrationStatus } = volume;
  return {
    uuid: volume.uuid,
    name: volume.name,
    sizeGb: volume.sizeGb,
    status: volume.status,
    type: volume.volumeType,
    pool: pools.get(volume.host ?? '') ?? -1,
    host: volume.host ?? '',
    serverUuids: volume.attachments.map(({ serverId }) => serverId),
    bootable: volume.bootable,
    migrationStatus: migrationStatus === 'none' ? null : migrationStatus,
    hasSnapshots: withSnapshots.has(volume.uuid),
    grouped: volume.groupId !== undefined || undefined,
    replicated: volume.replicated,
    encrypted: volume.encrypted,
    projectId: volume.projectId ?? '',
    createdAt: volume.createdAt ?? '',
  };
}

/**
 * Builds the model of a cloud's block storage from its responses. Pure. A pool whose backend does not report a
 * size keeps it as null, pools without a service and volumes in an unknown pool stay, at row −1. The temporary volumes
 * of migrations are left out.
 */
export function buildStorageSnapshot(input: StorageModelInput): StorageSnapshot {
  const types = input.types.map(({ id, name, extraSpecs }) => ({ id, name, extraSpecs }));
  const nodes = input.services
    .map((service) => describeNode(service, types, input.pools))
    .sort((a, b) => compareText(a.host, b.host));
  const nodeRows = new Map(nodes.map(({ host }, row) => [host, row]));
  const pools = input.pools.map((pool) => describePool(pool, nodeRows)).sort((a, b) => compareText(a.name, b.name));
  const poolRows = new Map(pools.map(({ name }, row) => [name, row]));
  const withSnapshots = new Set(input.snapshots.map(({ volumeId }) => volumeId));
  const gaps = input.gaps ?? [];
  return {
    nodes,
    pools,
    volumes: input.volumes
      .filter(({ migrationStatus }) => !isTemporary(migrationStatus))
      .map((volume) => describeVolume(volume, poolRows, withSnapshots))
      .sort((a, b) => compareText(a.uuid, b.uuid)),
    types,
    takenAtMs: input.takenAtMs,
    complete: gaps.length === 0,
    gaps,
  };
}
