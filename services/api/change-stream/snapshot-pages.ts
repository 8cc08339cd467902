import type { UnitOfWork } from '#libs/store';
import type { EntityKind, EntityQuery, LoadedEntity } from './entity-kind.ts';
import { entityKinds } from './entity-kinds.ts';
import type { ProgressOf } from './load-entries.ts';
import type { StreamEntry } from './stream-entry.ts';
import { globalScope, type WatchFilter } from './watch-filter.ts';

/** A part of the full state, and its end: `<kind>:<id>` of its last row. */
export interface SnapshotPage {
  entries: StreamEntry[];
  last: string;
}

/**
 * The full state that matches a filter, kind by kind, in pages of at most `size` entities, after the row `after`. No
 * page is empty, and only the last may be partial.
 */
export async function* snapshotPages(
  unit: UnitOfWork,
  filter: WatchFilter,
  options: { size: number; after?: string; revno: number; progressOf: ProgressOf },
): AsyncGenerator<SnapshotPage> {
  let entries: StreamEntry[] = [];
  for (const { kind, afterId } of wantedKinds(filter, options.after)) {
    for (let last = afterId, limit = options.size - entries.length; ; limit = options.size) {
      const rows = await kind.read(unit, { ...queryOf(kind, filter), afterId: last, limit });
      entries.push(...rows.map((row) => entryOf(kind, row, options)));
      if (rows.length < limit) break;
      last = rows.at(-1)?.id ?? last;
      yield { entries, last: `${kind.name}:${last}` };
      entries = [];
    }
  }
  const end = entries.at(-1);
  if (end) yield { entries, last: `${end.kind.name}:${end.entity?.id ?? 0}` };
}

/** The kinds that match a filter and are not completed before a position, and the row to start from. */
function wantedKinds(filter: WatchFilter, after = ':0'): { kind: EntityKind; afterId: number }[] {
  if (filter.scope !== undefined && filter.scope !== globalScope) return [];
  const [afterKind, afterId] = after.split(':');
  const first = entityKinds.findIndex(({ name }) => name === afterKind);
  return entityKinds
    .slice(Math.max(0, first))
    .filter((kind) => isWanted(kind, filter))
    .map((kind) => ({ kind, afterId: kind.name === afterKind ? Number(afterId) : 0 }));
}

function queryOf(kind: EntityKind, filter: WatchFilter): EntityQuery {
  return {
    ...(filter.uuids ? { keys: keysFor(kind, filter.uuids) } : {}),
    auditUuid: filter.audit,
    planUuid: filter.plan,
    states: filter.states ?? (filter.open ? kind.openStates : undefined),
  };
}

function isWanted(kind: EntityKind, filter: WatchFilter): boolean {
  if (!filter.kinds.includes(kind.name)) return false;
  if (filter.audit !== undefined && !kind.ofAudit) return false;
  if (filter.plan !== undefined && !kind.ofPlan) return false;
  return !filter.uuids || keysFor(kind, filter.uuids).length > 0;
}

function keysFor(kind: EntityKind, idents: readonly string[]): string[] {
  return idents.filter((ident) => /^\d{1,15}$/.test(ident) === (kind.name === 'service'));
}

function entryOf(
  kind: EntityKind,
  entity: LoadedEntity,
  { revno, progressOf }: { revno: number; progressOf: ProgressOf },
): StreamEntry {
  const entry: StreamEntry = { kind, key: entity.key, revno, created: null, states: [], entity };
  const progress = kind.name === 'action' && entity.state === 'ONGOING' ? progressOf(entity.key) : undefined;
  return progress === undefined ? entry : { ...entry, progress };
}
