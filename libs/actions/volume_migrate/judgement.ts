import type { Volume } from '#libs/openstack';
import type { Judgement } from '../change/change.ts';
import type { VolumeTrace } from './volume-trace.ts';

const restingStatuses = new Set(['available', 'in-use']);
/** Cinder's `migration_status` when no migration is in progress. */
const restingMigrations = new Set([null, 'none', 'success', 'error']);

/** Evaluates `migration_status`, status and pool or type. `accepted`: whether Cinder has accepted the request. */
export function judge(volume: Volume | null, trace: VolumeTrace, accepted: boolean): Judgement {
  if (!volume) return { kind: 'failed', evidence: 'The volume could not be found' };
  return trace.operation === 'migrate' ? judgeMigrate(volume, trace, accepted) : judgeRetype(volume, trace, accepted);
}

function judgeMigrate(volume: Volume, trace: VolumeTrace, accepted: boolean): Judgement {
  const { migrationStatus: status } = volume;
  if (!restingMigrations.has(status)) return { kind: 'running' };
  const isOld = !accepted && status === trace.former_migration_status && !isUpdated(volume, trace);
  if (volume.host === trace.to && (status !== 'error' || isOld)) {
    return { kind: restingStatuses.has(volume.status) ? 'applied' : 'running' };
  }
  if (status === 'error' && !isOld) return { kind: 'failed', evidence: 'The migration ended in status error' };
  if (status === 'success' && status !== trace.former_migration_status) {
    return { kind: 'failed', evidence: `The volume is on ${volume.host} instead of ${trace.to}` };
  }
  return { kind: volume.status === 'maintenance' ? 'running' : 'idle' };
}

/** Whether Cinder has changed the volume since the request was sent. False when Cinder does not report it. */
function isUpdated({ updatedAt }: Volume, { former_updated_at: former }: VolumeTrace): boolean {
  return former !== null && updatedAt !== undefined && updatedAt !== former;
}

function judgeRetype(volume: Volume, trace: VolumeTrace, accepted: boolean): Judgement {
  if (volume.status === 'retyping' || !restingMigrations.has(volume.migrationStatus)) return { kind: 'running' };
  if (volume.volumeType === trace.to && restingStatuses.has(volume.status)) return { kind: 'applied' };
  if (!accepted) return { kind: 'idle' };
  return { kind: 'failed', evidence: `The volume has type ${volume.volumeType} and status ${volume.status}` };
}
