import type { Server } from '#libs/openstack';
import type { Judgement } from '../change/change.ts';
import { failedMoves, type Sighting } from '../change/move-record.ts';
import type { ResizeTrace } from './resize-trace.ts';

/**
 * Evaluates the migration record first, then task, status and flavor of the server. `applied`: it has the flavor and
 * its former status.
 */
export function judge({ server, record }: Sighting, trace: ResizeTrace): Judgement {
  if (!server) return { kind: 'failed', evidence: 'The instance could not be found' };
  const hasFlavor = server.flavor.name === trace.flavor;
  if (record && failedMoves.has(record.status)) {
    return failed(server, `Nova migration ${record.id} ended in status ${record.status}`);
  }
  if (server.status === 'ERROR') return failed(server, 'Instance is in ERROR status');
  if (server.taskState !== null) return { kind: 'running' };
  if (server.status === 'VERIFY_RESIZE') return judgeVerify(server, record, hasFlavor);
  if (!record) return { kind: hasFlavor ? 'applied' : 'idle' };
  if (record.status !== 'confirmed') return { kind: 'running' };
  return hasFlavor ? { kind: 'applied' } : failed(server, `Instance has flavor ${server.flavor.name}`);
}

/** Nova shows VERIFY_RESIZE from a moment before the record is `finished` until the confirmation is done. */
function judgeVerify(server: Server, record: Sighting['record'], hasFlavor: boolean): Judgement {
  if (!record) return failed(server, 'Instance waits to confirm another resize');
  return { kind: record.status === 'finished' && hasFlavor ? 'verify' : 'running' };
}

function failed(server: Server, text: string): Judgement {
  return { kind: 'failed', evidence: server.fault ? `${text}: ${server.fault}` : text };
}
