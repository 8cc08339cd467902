import type { Migration, Server } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import { failedMoves } from './move-record.ts';

/** The move that an action requests. */
export interface WantedMove {
  /** Nova's `migration_type`. */
  type: string;
  /** Undefined when the action has no fixed source, such as a resize. */
  from?: string;
  /** Null when Nova chooses. */
  destination: string | null;
}

/**
 * Nova's record of a move whose journal is lost, for example after a failover to a database server without the newest
 * transactions. Nova stores no client-chosen id, so the move identifies the record: the user of Vigil requested it, it
 * has the same source and destination, and the instance has not returned to the source since then. When several match,
 * the oldest counts, because a plan moves an instance in its order. Undefined without a match.
 * @param since minimum time of the record. Null when the action has started: then the instance was on its source.
 */
export async function lostMoveOf(
  context: ActionContext<{ resource_id: string }>,
  wanted: WantedMove,
  since: Date | null,
): Promise<Migration | undefined> {
  const { compute, identity } = context.cloud;
  const requester = await identity.requester();
  if (!requester) return undefined;
  const listed = await compute.listMigrations({ serverUuid: context.input.resource_id });
  const records = listed.filter(({ status }) => !failedMoves.has(status)).sort((a, b) => a.id - b.id);
  const returned = records.findLastIndex(({ destHost }) => wanted.from !== undefined && destHost === wanted.from);
  return records.slice(returned + 1).find((record) => {
    const isOurs = record.userId === requester.userId && record.projectId === requester.projectId;
    const isSoYoung = since === null || createdMs(record) >= wholeSecond(since);
    return isOurs && isSoYoung && isThisWay(record, wanted);
  });
}

function isThisWay({ type, sourceHost, destHost }: Migration, wanted: WantedMove): boolean {
  const isFrom = wanted.from === undefined || sourceHost === wanted.from;
  const isTo = wanted.destination === null || destHost === null || destHost === wanted.destination;
  return type === wanted.type && isFrom && isTo;
}

/** Nova's times are UTC, in whole seconds. Some releases omit the time zone. */
function createdMs({ createdAt }: Migration): number {
  return Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(createdAt) ? createdAt : `${createdAt}Z`);
}

function wholeSecond(time: Date): number {
  return Math.floor(time.getTime() / 1000) * 1000;
}

/** Status of an instance before a cold migration or resize that may still wait for its confirmation. */
export function formerStatusOf(server: Server | null): 'ACTIVE' | 'SHUTOFF' {
  return server?.status === 'SHUTOFF' || server?.powerState === shutDown ? 'SHUTOFF' : 'ACTIVE';
}

/** Nova's number for the power state of a domain that does not run. */
const shutDown = 4;
