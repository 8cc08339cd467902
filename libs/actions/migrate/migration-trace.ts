import type { JsonObject } from '#libs/domain';
import type { Migration, Server } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import { intentOf } from '../journal-slot.ts';
import { currentRequester, mayBelongTo, requesterOf, type TracedRequester } from '../requester.ts';
import type { MigrateInput } from './input.ts';

/** Which way an attempt moves the instance: as planned, or back. */
export type Direction = 'forward' | 'backward';

/** What was known just before a migration was asked for; enough to recognize that very migration later. */
export type MigrationTrace = {
  type: 'live' | 'cold';
  from: string;
  destination: string | null;
  /** Server status before, such as ACTIVE or SHUTOFF. */
  former_status: string;
  /** Highest id among the instance's migration records before; the wanted record has a higher one. */
  after_migration_id: number;
} & TracedRequester;

/** The cloud's present view of a traced migration. */
export interface Sighting {
  server: Server | null;
  record: Migration | null;
}

/** Nova's `migration_type` of the records that each kind of move makes. */
const recordType = { live: 'live-migration', cold: 'migration' };

/** The trace that the journal holds for `direction`, undefined when nothing was asked for. */
export function traceOf(
  context: Pick<ActionContext<MigrateInput>, 'journal'>,
  direction: Direction,
): MigrationTrace | undefined {
  const intent: JsonObject | undefined = intentOf(context, direction);
  if (!intent) return undefined;
  return {
    type: intent.type === 'cold' ? 'cold' : 'live',
    from: String(intent.from),
    destination: typeof intent.destination === 'string' ? intent.destination : null,
    former_status: String(intent.former_status),
    after_migration_id: Number(intent.after_migration_id),
    ...requesterOf(intent),
  };
}

/** Makes the trace of a migration that is about to be asked for. */
export async function beginTrace(
  context: ActionContext<MigrateInput>,
  server: Server,
  move: { type: 'live' | 'cold'; destination: string | null },
): Promise<MigrationTrace> {
  const known = await context.cloud.compute.listMigrations({ serverUuid: server.uuid });
  return {
    type: move.type,
    from: server.host ?? context.input.source_node,
    destination: move.destination,
    former_status: server.status,
    after_migration_id: known.reduce((highest, migration) => Math.max(highest, migration.id), 0),
    ...(await currentRequester(context)),
  };
}

/** Whether a migration record may be of the traced move: it began after it, goes where that was to go, and nobody else asked for it. */
export function isTraced(record: Migration, trace: MigrationTrace): boolean {
  const { id, destHost } = record;
  const isThere = trace.destination === null || destHost === null || destHost === trace.destination;
  return isThere && id > trace.after_migration_id && mayBelongTo(trace, record);
}

/** Reads the migration record first and the server after it, so that a finished record is never judged by an older host. */
export async function observe(context: ActionContext<MigrateInput>, trace: MigrationTrace): Promise<Sighting> {
  const serverUuid = context.input.resource_id;
  const records = await context.cloud.compute.listMigrations({ serverUuid });
  const record = records.find((candidate) => candidate.type === recordType[trace.type] && isTraced(candidate, trace));
  return { record: record ?? null, server: await context.cloud.compute.getServer(serverUuid) };
}
