import { type AuditScope, InvalidInputError, type JsonObject, objectsOf } from '#libs/domain';

import type { StorageSnapshot } from './storage-snapshot.ts';

/** The effect of a scope on a storage snapshot. */
export interface StorageScopeReport {
  poolsRemoved: number;
  volumesRemoved: number;
  /** Names in the scope that the cloud does not have. They are ignored. */
  unknown: string[];
}

interface Rules {
  zones: Set<string>;
  types: Set<string>;
  /** Whether any include rule was present. */
  limited: boolean;
  pools: Set<string>;
  volumes: Set<string>;
  projects: Set<string>;
}

function addNames(found: Set<string>, entries: JsonObject[], key: 'name' | 'uuid'): void {
  for (const entry of entries) found.add(String(entry[key] ?? ''));
}

function refuseMixedWildcard(names: Set<string>, field: string): void {
  if (names.has('*') && names.size > 1) {
    throw new InvalidInputError(field, 'the wildcard * must be the only entry of its list');
  }
}

function readRules(rules: JsonObject[]): Rules {
  const found: Rules = {
    zones: new Set(),
    types: new Set(),
    limited: false,
    pools: new Set(),
    volumes: new Set(),
    projects: new Set(),
  };
  for (const rule of rules) {
    if (rule.availability_zones !== undefined || rule.volume_types !== undefined) found.limited = true;
    addNames(found.zones, objectsOf(rule.availability_zones, 'storage.availability_zones'), 'name');
    addNames(found.types, objectsOf(rule.volume_types, 'storage.volume_types'), 'name');
    for (const entry of objectsOf(rule.exclude, 'storage.exclude')) {
      addNames(found.pools, objectsOf(entry.storage_pools, 'storage.exclude.storage_pools'), 'name');
      addNames(found.volumes, objectsOf(entry.volumes, 'storage.exclude.volumes'), 'uuid');
      addNames(found.projects, objectsOf(entry.projects, 'storage.exclude.projects'), 'uuid');
    }
  }
  refuseMixedWildcard(found.zones, 'storage.availability_zones');
  refuseMixedWildcard(found.types, 'storage.volume_types');
  return found;
}

/** Rows of the nodes that include rules allow. Zones and types are united. */
function allowedNodes(snapshot: StorageSnapshot, { limited, zones, types }: Rules): boolean[] {
  return snapshot.nodes.map(
    ({ zone, volumeTypes }) =>
      !limited ||
      zones.has('*') ||
      zones.has(zone) ||
      (types.has('*') && volumeTypes.length > 0) ||
      volumeTypes.some((type) => types.has(type)),
  );
}

function unknownNames(snapshot: StorageSnapshot, rules: Rules): string[] {
  const missing = (what: string, wanted: Set<string>, known: Iterable<string>) => {
    const names = new Set(known);
    return [...wanted].filter((name) => name !== '*' && !names.has(name)).map((name) => `${what} ${name}`);
  };
  const { nodes, types, pools, volumes } = snapshot;
  return [
    ...missing(
      'storage availability zone',
      rules.zones,
      nodes.map(({ zone }) => zone),
    ),
    ...missing(
      'volume type',
      rules.types,
      types.map(({ name }) => name),
    ),
    ...missing(
      'storage pool',
      rules.pools,
      pools.map(({ name }) => name),
    ),
    ...missing(
      'volume',
      rules.volumes,
      volumes.map(({ uuid }) => uuid),
    ),
  ];
}

/** The snapshot with the pools and volumes to keep. Volumes of a removed pool are removed too. */
function keep(snapshot: StorageSnapshot, keepPool: boolean[], rules: Rules): StorageSnapshot {
  const newRow = new Map<number, number>();
  const pools = snapshot.pools.filter((_, row) => {
    if (keepPool[row]) newRow.set(row, newRow.size);
    return keepPool[row];
  });
  const stays = ({ uuid, projectId, pool }: StorageSnapshot['volumes'][number]) =>
    !rules.volumes.has(uuid) && !rules.projects.has(projectId) && (pool < 0 ? !rules.limited : keepPool[pool]);
  const volumes = snapshot.volumes.filter(stays).map((volume) => ({ ...volume, pool: newRow.get(volume.pool) ?? -1 }));
  return { ...snapshot, pools, volumes };
}

/**
 * Limits a storage snapshot to the scope of an audit, using all its `storage` entries at any depth. Included
 * availability zones (of the Cinder services) and volume types are united. Include rules that match nothing leave
 * no pool. Excluded pools, volumes and volumes of excluded projects are removed. Unknown names are reported and are
 * never an error.
 * @throws InvalidInputError when a wildcard has other entries next to it or a rule does not have the documented shape.
 */
export function applyStorageScope(
  snapshot: StorageSnapshot,
  scope: AuditScope,
): { snapshot: StorageSnapshot; report: StorageScopeReport } {
  const entries = scope.flatMap((entry) => objectsOf(entry.storage, 'scope.storage'));
  if (entries.length === 0) return { snapshot, report: { poolsRemoved: 0, volumesRemoved: 0, unknown: [] } };
  const rules = readRules(entries);
  const nodes = allowedNodes(snapshot, rules);
  const keepPool = snapshot.pools.map(
    ({ node, name }) => !rules.pools.has(name) && (node < 0 ? !rules.limited : nodes[node] === true),
  );
  const scoped = keep(snapshot, keepPool, rules);
  return {
    snapshot: scoped,
    report: {
      poolsRemoved: snapshot.pools.length - scoped.pools.length,
      volumesRemoved: snapshot.volumes.length - scoped.volumes.length,
      unknown: unknownNames(snapshot, rules),
    },
  };
}
