import type { ActionContext } from '#libs/plugin-kit';
import type { Judgement } from '../change/change.ts';
import { isMarked, type Sighting } from '../change/move-record.ts';
import { type MoveKind, openMove, type ServerMove } from '../change/server-move.ts';
import { type EvacuateInput, type EvacuationTrace, readTrace } from './evacuation-trace.ts';

const evacuation: MoveKind<EvacuateInput, EvacuationTrace> = {
  noun: 'evacuation',
  read: readTrace,
  isTraced: (record, trace) => record.type === 'evacuation' && isMarked(record, trace),
  judge,
  request: () => null,
  noted: ({ destHost }) => ({ destination: destHost }),
  isNotedAgain: true,
  statusNoun: () => null,
};

/** The evacuation that an action makes. */
export function evacuationOf(context: ActionContext<EvacuateInput>): ServerMove<EvacuationTrace> {
  return openMove(context, 'forward', evacuation);
}

/** Nova's record is `done` when the instance has arrived, and `completed` when the source has cleaned up. */
const arrivedStatuses = new Set(['done', 'completed']);

function judge({ record, server }: Sighting, trace: EvacuationTrace): Judgement {
  const failed = (evidence: string): Judgement => ({ kind: 'failed', evidence });
  if (!server) return failed('The instance could not be found');
  const fault = server.fault ? `: ${server.fault}` : '';
  if (!record) return { kind: server.host === trace.from && server.taskState === null ? 'idle' : 'running' };
  if (['error', 'failed'].includes(record.status)) {
    return failed(`Nova migration ${record.id} ended in status ${record.status}${fault}`);
  }
  if (!arrivedStatuses.has(record.status) || server.taskState !== null || server.host === trace.from) {
    return { kind: 'running' };
  }
  if (server.vmState === 'error') return failed(`Instance is in ERROR status${fault}`);
  if (trace.destination === null || server.host === trace.destination) return { kind: 'applied' };
  return failed(`Instance is on ${server.host ?? 'no host'} instead of ${trace.destination}`);
}
