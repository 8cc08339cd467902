import type { JsonObject, SchemaValue } from '#libs/domain';
import type { FlavorDetails, Server } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import { formerStatusOf, lostMoveOf } from '../change/lost-move.ts';
import { markRecord, type RecordMark, recordMarkOf } from '../change/move-record.ts';
import { inputSchema, uuidPattern } from '../schema.ts';

/** JSON Schema of the parameters. */
export const resizeSchema = inputSchema(['resource_id', 'flavor'], {
  resource_id: { type: 'string', pattern: uuidPattern },
  flavor: { type: 'string' },
});

/** Parameters of `resize`. `flavor` is an id or a name. */
export type ResizeInput = SchemaValue<typeof resizeSchema>;

/** State immediately before a resize was requested. It identifies this resize later. */
export type ResizeTrace = {
  /** Name of the requested flavor. */
  flavor: string;
  flavor_id: string;
  /** Name of the former flavor, the target of `revert`. Empty when unknown. */
  previous_flavor: string;
  /** Server status before, such as ACTIVE or SHUTOFF. */
  former_status: string;
} & RecordMark;

/** Reads the trace from a journalled intent. */
export function readTrace(intent: JsonObject): ResizeTrace {
  return {
    flavor: String(intent.flavor),
    flavor_id: String(intent.flavor_id),
    previous_flavor: String(intent.previous_flavor),
    former_status: String(intent.former_status),
    ...recordMarkOf(intent),
  };
}

/** Creates the trace of a resize before its request. */
export async function startTrace(
  context: ActionContext<ResizeInput>,
  server: Server,
  flavor: FlavorDetails,
): Promise<ResizeTrace> {
  return {
    flavor: flavor.name,
    flavor_id: flavor.id ?? flavor.name,
    previous_flavor: server.flavor.name,
    former_status: server.status,
    ...(await markRecord(context, server.uuid)),
  };
}

/**
 * The trace of a resize to `flavor` whose journal is lost. Nova's records have no flavor, so the server must have it,
 * or still be in the resize. Null when Nova has no record of it.
 */
export async function findLostTrace(
  context: ActionContext<ResizeInput>,
  flavor: FlavorDetails,
  since: Date | null,
): Promise<ResizeTrace | null> {
  const record = await lostMoveOf(context, { type: 'resize', destination: null }, since);
  const server = record && (await context.cloud.compute.getServer(context.input.resource_id));
  if (!server || (server.flavor.name !== flavor.name && server.taskState === null)) return null;
  return {
    flavor: flavor.name,
    flavor_id: flavor.id ?? flavor.name,
    previous_flavor: server.flavor.name === flavor.name ? '' : server.flavor.name,
    former_status: formerStatusOf(server),
    after_migration_id: record.id - 1,
    user_id: record.userId,
    project_id: record.projectId,
  };
}
