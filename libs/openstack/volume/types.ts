import type { CloudCallOptions } from '../call-options.ts';

/** A volume of Cinder. */
export interface Volume {
  uuid: string;
  name: string;
  sizeGb: number;
  status: string;
  volumeType: string | null;
  host: string | null;
  attachments: { serverId: string; attachmentId: string }[];
  multiattach: boolean;
  bootable: boolean;
  migrationStatus: string | null;
  /** For the temporary copy of a migrated volume: the original volume. */
  nameId: string | null;
  /** Group or consistency group that it belongs to. Absent when it is in none. */
  groupId?: string;
  /** Absent for volumes without replication, or when Cinder does not report it. */
  replicated?: boolean;
  /** As `replicated`. */
  encrypted?: boolean;
  /** Absent when Cinder does not report it. */
  projectId?: string;
  /** UTC in ISO 8601 without a zone letter. Absent when Cinder does not report it. */
  createdAt?: string;
  /** Time of the last change of any property, also of `migrationStatus`. As `createdAt`. */
  updatedAt?: string;
}

/** A pool of a backend, named `host@backend#pool`. Null when the backend reports no value or `unknown`. */
export interface StoragePool {
  name: string;
  totalCapacityGb: number | null;
  freeCapacityGb: number | null;
  provisionedCapacityGb: number | null;
  allocatedCapacityGb: number | null;
  volumeBackendName: string | null;
  /** All capabilities that the backend reports, as texts. Compared with the extra specs of volume types. */
  capabilities: Record<string, string>;
}

/** A volume type of Cinder. */
export interface VolumeType {
  id: string;
  name: string;
  extraSpecs: Record<string, string>;
}

/** A cinder-volume service. */
export interface StorageService {
  host: string;
  zone: string;
  status: 'enabled' | 'disabled';
  state: 'up' | 'down';
}

/** A snapshot of a volume. */
export interface Snapshot {
  uuid: string;
  name: string;
  volumeId: string;
  status: string;
  sizeGb: number;
}

/** Cinder. */
export interface VolumePort {
  listVolumes(options?: CloudCallOptions): Promise<Volume[]>;
  getVolume(uuid: string, options?: CloudCallOptions): Promise<Volume | null>;
  /** The first volume of any project with exactly this name, or null. */
  getVolumeByName(name: string, options?: CloudCallOptions): Promise<Volume | null>;
  listSnapshots(options?: CloudCallOptions): Promise<Snapshot[]>;
  listPools(options?: CloudCallOptions): Promise<StoragePool[]>;
  listTypes(options?: CloudCallOptions): Promise<VolumeType[]>;
  listServices(options?: CloudCallOptions): Promise<StorageService[]>;
  /** Starts moving a volume to a pool (`host@backend#pool`). The volume is locked for users until the end. */
  migrateVolume(uuid: string, pool: string, options?: CloudCallOptions): Promise<void>;
  /** Starts changing the type of a volume. Cinder moves the volume if the type requires it. */
  retypeVolume(uuid: string, typeName: string, options?: CloudCallOptions): Promise<void>;
}
