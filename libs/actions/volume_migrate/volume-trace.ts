import type { JsonObject } from '#libs/domain';
import type { Volume } from '#libs/openstack';

/** State immediately before the request. It identifies the effect. */
export type VolumeTrace = {
  operation: 'migrate' | 'retype';
  /** Requested pool or type. */
  to: string;
  /** Former pool or type, the target of `revert`. */
  from: string | null;
  former_status: string;
  /** Cinder keeps the result of the former migration until the next one starts. */
  former_migration_status: string | null;
  /** Distinguishes a migration that failed like the former one from one that never started. */
  former_updated_at: string | null;
};

/** Reads the trace from a journalled intent. */
export function readTrace(intent: JsonObject): VolumeTrace {
  return {
    operation: intent.operation === 'retype' ? 'retype' : 'migrate',
    to: String(intent.to),
    from: textOrNull(intent.from),
    former_status: String(intent.former_status),
    former_migration_status: textOrNull(intent.former_migration_status),
    former_updated_at: textOrNull(intent.former_updated_at),
  };
}

/** Creates the trace of a request before it is sent. */
export function startTrace(volume: Volume, operation: VolumeTrace['operation'], to: string): VolumeTrace {
  return {
    operation,
    to,
    from: operation === 'migrate' ? volume.host : volume.volumeType,
    former_status: volume.status,
    former_migration_status: volume.migrationStatus,
    former_updated_at: volume.updatedAt ?? null,
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
