import type { JsonObject, SchemaValue } from '#libs/domain';
import type { Server } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import { lostMoveOf } from '../change/lost-move.ts';
import { markRecord, type RecordMark, recordMarkOf } from '../change/move-record.ts';
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
 * Parameters of `evacuate`. Without `destination_node` Nova's scheduler chooses. `fenced_by` guarantees that the
 * source no longer runs its guests: Nova's flag `forced_down`, which must stay set, or an operator. Hosts are names of
 * compute services.
 */
export type EvacuateInput = SchemaValue<typeof evacuateSchema>;

/** State immediately before an evacuation was requested. It identifies this evacuation later. */
export type EvacuationTrace = {
  from: string;
  destination: string | null;
  /** vm_state before, such as active, stopped, error. */
  former_vm_state: string;
} & RecordMark;

/** Reads the trace from a journalled intent. */
export function readTrace(intent: JsonObject): EvacuationTrace {
  return {
    from: String(intent.from),
    destination: typeof intent.destination === 'string' ? intent.destination : null,
    former_vm_state: String(intent.former_vm_state),
    ...recordMarkOf(intent),
  };
}

/** Creates the trace of an evacuation before its request. */
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
