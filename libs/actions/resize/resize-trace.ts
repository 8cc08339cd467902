import type { JsonObject } from '#libs/domain';
import type { FlavorDetails, Migration, Server } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import { intentOf, type Journalled } from '../journal-slot.ts';
import { currentRequester, mayBelongTo, requesterOf, type TracedRequester } from '../requester.ts';
import type { ResizeInput } from './input.ts';

/** Which way an attempt resizes: as planned, or back. */
export type Direction = 'forward' | 'backward';

/** What was known just before a resize was asked for; enough to recognize that very resize later. */
export type ResizeTrace = {
  /** Name of the flavor that is wanted. */
  flavor: string;
  flavor_id: string;
  /** Name of the flavor before; where `revert` goes. */
  previous_flavor: string;
  /** Server status before, such as ACTIVE or SHUTOFF. */
  former_status: string;
  /** Highest id among the instance's migration records before; the wanted record has a higher one. */
  after_migration_id: number;
} & TracedRequester;

/** The cloud's present view of a traced resize. */
export interface Sighting {
  server: Server | null;
  record: Migration | null;
}

/** The trace that the journal holds for `direction`, undefined when nothing was asked for. */
export function traceOf(context: Journalled, direction: Direction): ResizeTrace | undefined {
  const intent: JsonObject | undefined = intentOf(context, direction);
  if (!intent) return undefined;
  return {
    flavor: String(intent.flavor),
    flavor_id: String(intent.flavor_id),
    previous_flavor: String(intent.previous_flavor),
    former_status: String(intent.former_status),
    after_migration_id: Number(intent.after_migration_id),
    ...requesterOf(intent),
  };
}

/** Makes the trace of a resize that is about to be asked for. */
export async function beginTrace(
  context: ActionContext<ResizeInput>,
  server: Server,
  flavor: FlavorDetails,
): Promise<ResizeTrace> {
  const known = await context.cloud.compute.listMigrations({ serverUuid: server.uuid });
  return {
    flavor: flavor.name,
    flavor_id: flavor.id ?? flavor.name,
    previous_flavor: server.flavor.name,
    former_status: server.status,
    after_migration_id: known.reduce((highest, migration) => Math.max(highest, migration.id), 0),
    ...(await currentRequester(context)),
  };
}

/** Reads the record first and the server after it, so that a finished record is never judged by an older flavor. */
export async function observe(context: ActionContext<ResizeInput>, trace: ResizeTrace): Promise<Sighting> {
  const serverUuid = context.input.resource_id;
  const records = await context.cloud.compute.listMigrations({ serverUuid });
  const record = records.find(
    (one) => one.id > trace.after_migration_id && one.type === 'resize' && mayBelongTo(trace, one),
  );
  return { record: record ?? null, server: await context.cloud.compute.getServer(serverUuid) };
}
