import type { Migration } from '#libs/openstack';

/** A move of an instance between hosts that Nova has finished. */
export interface FinishedMove {
  /** Uuid of the instance. */
  instance: string;
  /** Names of the two hosts. The source is null when Nova does not know it. */
  from: string | null;
  to: string;
  /** Time of the move, milliseconds since 1970. */
  atMs: number;
  isResize: boolean;
}

/** States in which the instance is on the destination, by type of migration. */
const arrived: Readonly<Record<string, readonly string[]>> = {
  'live-migration': ['completed'],
  migration: ['finished', 'confirming', 'confirmed'],
  resize: ['finished', 'confirming', 'confirmed'],
  evacuation: ['done', 'completed'],
};

/** The move that a migration made. Null when the migration still runs, was reverted or made no move. */
export function finishedMove(migration: Migration): FinishedMove | null {
  const { type, status, serverUuid, sourceHost, destHost } = migration;
  if (!arrived[type]?.includes(status) || destHost === null || sourceHost === destHost) return null;
  const atMs = movedAt(migration);
  return Number.isNaN(atMs)
    ? null
    : { instance: serverUuid, from: sourceHost, to: destHost, atMs, isResize: type === 'resize' };
}

/**
 * Nova changes the record of a live migration last when the instance arrives. Nova changes other records again when
 * the move is confirmed, or when the compute service of the failed host starts. That may be days later.
 */
function movedAt({ type, createdAt, updatedAt }: Migration): number {
  return millisOf(type === 'live-migration' ? (updatedAt ?? createdAt) : createdAt);
}

/** Nova returns times in UTC without an offset. */
function millisOf(text: string): number {
  return Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
}
