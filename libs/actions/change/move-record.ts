import type { JsonObject } from '#libs/domain';
import { type Cloud, type Migration, OpenStackError, type Server } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';

/** Requester of a change, as journalled. Null when the cloud did not report it. */
type TracedRequester = { user_id: string | null; project_id: string | null };

/** Marks that distinguish the migration record of a move from all others. They are part of the journalled trace. */
export type RecordMark = {
  /** Highest id of the earlier migration records of the instance. The record of the move has a higher one. */
  after_migration_id: number;
} & TracedRequester;

/** Statuses of Nova's records of moves that did not succeed. */
export const failedMoves: ReadonlySet<string> = new Set(['error', 'failed', 'cancelled', 'reverted', 'reverting']);

/** State of a traced move in the cloud. */
export interface Sighting {
  server: Server | null;
  record: Migration | null;
  /** The same requester has since moved the server again, as a later action of the plan does. */
  movedOn?: boolean;
}

/** The mark in a journalled intent. */
export function recordMarkOf(intent: JsonObject): RecordMark {
  return { after_migration_id: Number(intent.after_migration_id), ...requesterOf(intent) };
}

/** The mark of a move that is about to be requested. */
export async function markRecord(context: Pick<ActionContext, 'cloud'>, serverUuid: string): Promise<RecordMark> {
  const known = await context.cloud.compute.listMigrations({ serverUuid });
  const highest = known.reduce((id, migration) => Math.max(id, migration.id), 0);
  return { after_migration_id: highest, ...(await currentRequester(context)) };
}

/** Whether a record may belong to the marked move: it started after the mark, and no other requester is known. */
export function isMarked(record: Migration, mark: RecordMark): boolean {
  return record.id > mark.after_migration_id && mayBelongTo(mark, record);
}

/** Reads the migration record before the server, so that a finished record is never compared to an older server. */
export async function observeMove(
  context: Pick<ActionContext, 'cloud'>,
  serverUuid: string,
  isOurs: (record: Migration) => boolean,
): Promise<Sighting> {
  const { compute } = context.cloud;
  const records = await compute.listMigrations({ serverUuid });
  const record = records.find(isOurs) ?? null;
  const movedOn = record !== null && records.some((later) => isContinuation(later, record));
  return { record, server: await compute.getServer(serverUuid), movedOn };
}

function isContinuation(later: Migration, record: Migration): boolean {
  const isNext = later.id > record.id && later.sourceHost === record.destHost && !failedMoves.has(later.status);
  return isNext && record.userId !== null && later.userId === record.userId && later.projectId === record.projectId;
}

/** Nova's names of requests that move a server, in os-instance-actions. */
export type MoveRequest = 'live-migration' | 'migrate' | 'resize';

/** Nova's id of the server's newest request of that name. Null when Nova does not report it. */
export async function newestRequest(
  { cloud, input, log, signal }: ActionContext<{ resource_id: string }>,
  name: MoveRequest,
): Promise<string | null> {
  try {
    const requested = await cloud.compute.listInstanceActions(input.resource_id);
    return requested.find(({ action }) => action === name)?.requestId ?? null;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof OpenStackError)) throw error;
    log.warn({ err: error }, 'Nova does not report the requests on the instance');
    return null;
  }
}

/** Owner of a change that is about to be requested. */
async function currentRequester(context: { cloud: Pick<Cloud, 'identity'> }): Promise<TracedRequester> {
  const requester = await context.cloud.identity.requester();
  return { user_id: requester?.userId ?? null, project_id: requester?.projectId ?? null };
}

/** Reads it from a journalled intent. */
function requesterOf({ user_id, project_id }: JsonObject): TracedRequester {
  return { user_id: textOrNull(user_id), project_id: textOrNull(project_id) };
}

/** Whether a migration record may belong to the requester: nothing that Nova reports contradicts it. */
function mayBelongTo(
  requester: TracedRequester,
  { userId, projectId }: Pick<Migration, 'userId' | 'projectId'>,
): boolean {
  return agree(requester.user_id, userId) && agree(requester.project_id, projectId);
}

function agree(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other;
}

function textOrNull(value: JsonObject[string] | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
