import type { JsonObject, SchemaValue } from '#libs/domain';
import type { Migration, Server } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import { intentOf } from '../change/journal-slot.ts';
import { lostMoveOf } from '../change/lost-move.ts';
import { isMarked, markRecord, observeMove, type RecordMark, recordMarkOf } from '../change/move-record.ts';
import { inputSchema, uuidPattern } from '../schema.ts';

/** JSON Schema of the parameters. */
export const evacuateSchema = inputSchema(['resource_id', 'source_node', 'fenced_by'], {
  resource_id: { type: 'string', pattern: uuidPattern },
  source_node: { type: 'string', minLength: 1 },
  fenced_by: { type: 'string', enum: ['forced_down', 'operator'] },
  destination_node: { type: ['string', 'null'] },
  resource_name: { type: 'string' },
});

/**
 * Parameters of `evacuate`. Without `destination_node` Nova's scheduler chooses. `fenced_by` is the guarantor that the
 * source cannot run its guests any more: Nova's flag `forced_down`, which must stay set, or an operator. Hosts are
 * names of compute services.
 */
export type EvacuateInput = SchemaValue<typeof evacuateSchema>;

/** State just before an evacuation was requested. Enough to recognize that very one later. */
export type EvacuationTrace = {
  from: string;
  destination: string | null;
  /** vm_state before, such as active, stopped, error. */
  former_vm_state: string;
} & RecordMark;

/** Meaning of a check the cloud. `idle`: no trace of the evacuation. */
export type EvacuationSight =
  | { kind: 'idle' | 'running' | 'applied'; record: Migration | null }
  | { kind: 'failed'; record: Migration | null; evidence: string };

/** The trace in the journal. Undefined when nothing was requested. */
export function evacuationTraceOf(context: Pick<ActionContext<EvacuateInput>, 'journal'>): EvacuationTrace | undefined {
  const intent: JsonObject | undefined = intentOf(context, 'forward');
  if (!intent) return undefined;
  return {
    from: String(intent.from),
    destination: typeof intent.destination === 'string' ? intent.destination : null,
    former_vm_state: String(intent.former_vm_state),
    ...recordMarkOf(intent),
  };
}

/** Makes the trace of an evacuation that is about to be requested. */
export async function startEvacuationTrace(
  context: ActionContext<EvacuateInput>,
  server: Server,
): Promise<EvacuationTrace> {
  return {
    from: context.input.source_node,
    destination: context.input.destination_node || null,
    former_vm_state: server.vmState,
    ...(await markRecord(context, server.uuid)),
  };
}

/** The trace of an evacuation whose journal is lost. Null when Nova has no record of it. */
export async function findLostEvacuation(
  context: ActionContext<EvacuateInput>,
  since: Date | null,
): Promise<EvacuationTrace | null> {
  const { resource_id: id, source_node: from, destination_node } = context.input;
  const destination = destination_node || null;
  const record = await lostMoveOf(context, { type: 'evacuation', from, destination }, since);
  if (!record) return null;
  const former_vm_state = (await context.cloud.compute.getServer(id))?.vmState ?? 'active';
  const requester = { user_id: record.userId, project_id: record.projectId };
  return { from, destination, former_vm_state, after_migration_id: record.id - 1, ...requester };
}

/** Nova's record is `done` when the instance has arrived, and `completed` once the source has cleaned up. */
const arrivedStatuses = new Set(['done', 'completed']);

/** The cloud's present view of a traced evacuation. */
export async function sight(context: ActionContext<EvacuateInput>, trace: EvacuationTrace): Promise<EvacuationSight> {
  const isOurs = (record: Migration) => record.type === 'evacuation' && isMarked(record, trace);
  const { record, server } = await observeMove(context, context.input.resource_id, isOurs);
  return judge(record, server, trace);
}

function judge(record: Migration | null, server: Server | null, trace: EvacuationTrace): EvacuationSight {
  const failed = (evidence: string): EvacuationSight => ({ kind: 'failed', record, evidence });
  if (!server) return failed('The instance could not be found');
  const fault = server.fault ? `: ${server.fault}` : '';
  if (!record) return { kind: server.host === trace.from && server.taskState === null ? 'idle' : 'running', record };
  if (['error', 'failed'].includes(record.status)) {
    return failed(`Nova migration ${record.id} ended in status ${record.status}${fault}`);
  }
  if (!arrivedStatuses.has(record.status) || server.taskState !== null || server.host === trace.from) {
    return { kind: 'running', record };
  }
  if (server.vmState === 'error') return failed(`Instance is in ERROR status${fault}`);
  if (trace.destination === null || server.host === trace.destination) return { kind: 'applied', record };
  return failed(`Instance is on ${server.host ?? 'no host'} instead of ${trace.destination}`);
}
