/** A Cinder backend: the pools of one cinder-volume service. */
export interface StorageNodeInfo {
  /** `host@backend`. */
  host: string;
  zone: string;
  enabled: boolean;
  up: boolean;
  /** Names of the volume types whose `volume_backend_name` is the backend's. */
  volumeTypes: string[];
}

/** A pool of a backend. Sizes are GiB and null when the backend does not report them. */
export interface StoragePoolInfo {
  /** `host@backend#pool`, as actions name it. */
  name: string;
  /** Row of its node, −1 without a service that manages it. */
  node: number;
  /** `volume_backend_name`, or the backend part of the name. */
  backendName: string;
  totalGb: number | null;
  freeGb: number | null;
  /** Sum of the sizes promised to volumes. */
  provisionedGb: number | null;
  allocatedGb: number | null;
  /** Part of the total that Cinder leaves free, 0 to 1. */
  reservedShare: number;
  /** Whether volumes may be promised more than the total. */
  thin: boolean;
  /** Factor of the total that thin volumes may be promised. At least 1. */
  maxOverSubscriptionRatio: number;
  /** The capabilities that the backend reports, as texts. Compared with the extra specs of types. */
  capabilities: Record<string, string>;
  /** Time of the backend's report of these sizes, milliseconds since 1970. Absent where Cinder does not report it. */
  reportedAtMs?: number;
}

/** A volume of Cinder. Sizes in GiB. */
export interface StorageVolumeInfo {
  uuid: string;
  name: string;
  sizeGb: number;
  /** Such as available, in-use, retyping. */
  status: string;
  /** Name of its type, null when it has none. */
  type: string | null;
  /** Row of its pool, −1 when the pool is not known. */
  pool: number;
  /** Name of its pool in Cinder. Empty without one. */
  host: string;
  /** Servers with this volume attached. */
  serverUuids: string[];
  bootable: boolean;
  /** Such as migrating, success, error. Null when it was never migrated. */
  migrationStatus: string | null;
  hasSnapshots: boolean;
  /** Whether it belongs to a group or consistency group. Absent when not. */
  grouped?: boolean;
  /** Whether it has replicas. Absent when not. */
  replicated?: boolean;
  /** Absent when not. */
  encrypted?: boolean;
  /** Empty when Cinder does not report it. */
  projectId: string;
  /** ISO 8601, empty when Cinder does not report it. */
  createdAt: string;
}

/** A volume type of Cinder. */
export interface StorageTypeInfo {
  /** Uuid, as notifications name it. Absent when unknown. */
  id?: string;
  name: string;
  extraSpecs: Record<string, string>;
}

/** A frozen model of the block storage of a cloud. Plain data: it can be posted to a worker thread. */
export interface StorageSnapshot {
  /** By host. */
  nodes: StorageNodeInfo[];
  /** By name. */
  pools: StoragePoolInfo[];
  /** By uuid. */
  volumes: StorageVolumeInfo[];
  types: StorageTypeInfo[];
  /** Time of the model, milliseconds since 1970. */
  takenAtMs: number;
  /** False when some part could not be read. `gaps` names it. */
  complete: boolean;
  gaps: string[];
}

/** Migration statuses of a volume that is in the reported pool. */
const restingStatuses = new Set(['success', 'error']);
/** Statuses of a volume that Cinder is moving, or may be: `maintenance` stands for the migration of a locked volume. */
const movingStatuses = new Set(['retyping', 'maintenance']);

/** Whether Cinder is migrating the volume. */
export function isMigrating({ migrationStatus }: Pick<StorageVolumeInfo, 'migrationStatus'>): boolean {
  return migrationStatus !== null && !restingStatuses.has(migrationStatus);
}

/**
 * Whether a volume belongs to the migration of another volume: as the copy in progress, or as the remainder to be
 * deleted.
 */
export function isTemporary(migrationStatus: string | null): boolean {
  return migrationStatus !== null && (migrationStatus.startsWith('target:') || migrationStatus === 'deleting');
}

/**
 * Whether no volume is migrating. Cinder does not report arrivals, so a model with migrating volumes must be read
 * again.
 */
export function isStorageAtRest({ volumes }: Pick<StorageSnapshot, 'volumes'>): boolean {
  return !volumes.some((volume) => isMigrating(volume) || movingStatuses.has(volume.status));
}
