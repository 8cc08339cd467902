import type { JsonObject, SchemaValue } from '#libs/domain';
import type { Migration, Server } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import { formerStatusOf, lostMoveOf } from '../change/lost-move.ts';
import { isMarked, markRecord, type RecordMark, recordMarkOf } from '../change/move-record.ts';
import { inputSchema, uuidPattern } from '../schema.ts';

/** Watcher's effective schema, except that destinations must be text or null. */
export const migrateSchema = inputSchema(['migration_type', 'resource_id', 'source_node'], {
  migration_type: { type: 'string', enum: ['live', 'cold'] },
  resource_id: { type: 'string', pattern: uuidPattern },
  source_node: { type: 'string', minLength: 1 },
  destination_node: { type: ['string', 'null'] },
  resource_name: { type: 'string' },
});

/**
 * Parameters of `migrate`. Without `destination_node` Nova's scheduler chooses. Hosts are names of compute services.
 */
export type MigrateInput = SchemaValue<typeof migrateSchema>;

/** State immediately before a migration was requested. It identifies this migration later. */
export type MigrationTrace = {
  type: 'live' | 'cold';
  from: string;
  destination: string | null;
  /** Server status before, such as ACTIVE or SHUTOFF. */
  former_status: string;
} & RecordMark;

/** Nova's `migration_type` in the records of each kind of move. */
export const recordType = { live: 'live-migration', cold: 'migration' };

/** Reads the trace from a journalled intent. */
export function readTrace(intent: JsonObject): MigrationTrace {
  return {
    type: intent.type === 'cold' ? 'cold' : 'live',
    from: String(intent.from),
    destination: typeof intent.destination === 'string' ? intent.destination : null,
    former_status: String(intent.former_status),
    ...recordMarkOf(intent),
  };
}

/** Creates the trace of a migration before its request. */
export async function startTrace(
  context: ActionContext<MigrateInput>,
  server: Server,
  move: { type: 'live' | 'cold'; destination: string | null },
): Promise<MigrationTrace> {
  return {
    type: move.type,
    from: server.host ?? context.input.source_node,
    destination: move.destination,
    former_status: server.status,
    ...(await markRecord(context, server.uuid)),
  };
}

/** The trace of a migration whose journal is lost. Null when Nova has no record of it. */
export async function findLostTrace(
  context: ActionContext<MigrateInput>,
  since: Date | null,
): Promise<MigrationTrace | null> {
  const { resource_id: id, source_node: from, destination_node, migration_type: type } = context.input;
  const destination = destination_node || null;
  const record = await lostMoveOf(context, { type: recordType[type], from, destination }, since);
  if (!record) return null;
  const { userId: user_id, projectId: project_id } = record;
  const former_status = formerStatusOf(await context.cloud.compute.getServer(id));
  return { type, from, destination, former_status, after_migration_id: record.id - 1, user_id, project_id };
}

/**
 * Whether a migration record may belong to the traced move: it started after the move, has the same destination, and
 * no other requester is known.
 */
export function isTraced(record: Migration, trace: MigrationTrace): boolean {
  const { destHost } = record;
  const isThere = trace.destination === null || destHost === null || destHost === trace.destination;
  return isThere && isMarked(record, trace);
}
