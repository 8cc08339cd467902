import type { Migration, Server } from '#libs/openstack';
import type { Judgement } from '../change/change.ts';
import { failedMoves, type Sighting } from '../change/move-record.ts';
import type { MigrationTrace } from './migration-trace.ts';

const finishedStatuses = { live: 'completed', cold: 'confirmed' };

/**
 * Evaluates the migration record first, then server status, task and host. `foreign`: another requester moved the
 * instance.
 */
export function judge({ server, record, movedOn }: Sighting, trace: MigrationTrace): Judgement {
  if (!server) return { kind: 'failed', evidence: 'The instance could not be found' };
  if (record && failedMoves.has(record.status)) {
    return {
      kind: 'failed',
      evidence: `Nova migration ${record.id} ended in status ${record.status}${faultOf(server)}`,
    };
  }
  // A later action of the plan has moved it again. That action evaluates the end.
  if (movedOn && record?.status === finishedStatuses[trace.type]) return { kind: 'applied' };
  if (server.status === 'ERROR') return { kind: 'failed', evidence: `Instance is in ERROR status${faultOf(server)}` };
  if (server.taskState !== null) return { kind: 'running' };
  if (server.status === 'VERIFY_RESIZE') return judgeVerify(server, record, trace);
  if (!record) return judgeWithoutRecord(server, trace);
  if (record.status !== finishedStatuses[trace.type] || server.host === trace.from) return { kind: 'running' };
  return arrived(server, trace);
}

/** Nova shows VERIFY_RESIZE from a moment before the record is `finished` until the confirmation is done. */
function judgeVerify(server: Server, record: Migration | null, trace: MigrationTrace): Judgement {
  if (!record || trace.type === 'live')
    return { kind: 'foreign', evidence: 'Instance waits to confirm another resize' };
  if (record.status !== 'finished') return { kind: 'running' };
  if (server.host !== trace.from) return { kind: 'verify' };
  return { kind: 'failed', evidence: `Instance stayed on ${trace.from} in the cold migration` };
}

/**
 * Without a record, only the move to a named destination is proven. A destination chosen by the scheduler needs its
 * record.
 */
function judgeWithoutRecord(server: Server, trace: MigrationTrace): Judgement {
  if (server.host === trace.from) return { kind: 'idle' };
  return arrived(server, trace.destination === null ? { ...trace, destination: '' } : trace);
}

function arrived(server: Server, trace: MigrationTrace): Judgement {
  if (trace.destination === null || server.host === trace.destination) return { kind: 'applied' };
  const where = server.host ?? 'no host';
  return {
    kind: 'foreign',
    evidence: `Instance is on ${where} instead of ${trace.destination || 'a host of this migration'}`,
  };
}

function faultOf(server: Server): string {
  return server.fault ? `: ${server.fault}` : '';
}
