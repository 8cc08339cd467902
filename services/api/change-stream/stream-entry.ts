import type { ViewContext } from '../views/view-context.ts';
import type { EntityKind, LoadedEntity } from './entity-kind.ts';
import { globalScope, type WatchFilter } from './watch-filter.ts';

/** A changed entity, in its state at the end of a batch. */
export interface StreamEntry {
  kind: EntityKind;
  key: string;
  /** Number of its last change. */
  revno: number;
  /** Number of its creation when the batch contains it. */
  created: number | null;
  /** Previous states, with the number of the change that ended each. Oldest first. */
  states: readonly (readonly [revno: number, oldState: string])[];
  /** Null when the row was deleted. */
  entity: LoadedEntity | null;
  /** Progress, which is not stored in a row: completed fraction of a running action. */
  progress?: number;
}

/** Maximum cached texts per entry. More would let clients fill the memory with host names. */
const maxTexts = 8;

/**
 * Form of an entry for a client that has received everything up to `seen`, and parts of it up to `partlySeen`. Null
 * when the entry does not match the client's filter.
 */
export function judge(
  entry: StreamEntry,
  filter: WatchFilter,
  seen: number,
  partlySeen = seen,
): 'change' | 'remove' | null {
  const { entity } = entry;
  if (entity?.isLive && matches(entry, filter, entity.state)) return 'change';
  const existed = entry.created === null || entry.created <= Math.max(seen, partlySeen);
  if (!existed) return null;
  // The intermediate states that the client received are no longer known.
  const state = partlySeen > seen ? null : stateAt(entry, seen);
  return matches(entry, filter, state) ? 'remove' : null;
}

function stateAt(entry: StreamEntry, seen: number): string | null {
  const change = entry.states.find(([revno]) => revno > seen);
  return change ? change[1] : (entry.entity?.state ?? null);
}

function matches({ kind, key, entity }: StreamEntry, filter: WatchFilter, state: string | null): boolean {
  if (!filter.kinds.includes(kind.name)) return false;
  if (filter.scope !== undefined && filter.scope !== globalScope) return false;
  if (filter.uuids && !filter.uuids.includes(key)) return false;
  if (!belongs(kind, entity, filter)) return false;
  return !filter.states || !kind.hasState || state === null || filter.states.includes(state);
}

/** Whether an entity matches. Without a row its audit and plan are unknown, so it matches any. */
function belongs(kind: EntityKind, entity: LoadedEntity | null, filter: WatchFilter): boolean {
  if (filter.audit !== undefined && !(kind.ofAudit && (entity === null || entity.auditUuid === filter.audit))) {
    return false;
  }
  return filter.plan === undefined || (kind.ofPlan && (entity === null || entity.planUuid === filter.plan));
}

/** Makes the texts of deltas. Each is made once for all clients with the same version and link base. */
export function createDeltaTexts(): (entry: StreamEntry, verdict: 'change' | 'remove', context: ViewContext) => string {
  const known = new WeakMap<StreamEntry, Map<string, string>>();
  return (entry, verdict, context) => {
    if (verdict === 'remove') return JSON.stringify([entry.kind.name, 'remove', keyFieldsOf(entry)]);
    const texts = known.get(entry) ?? new Map<string, string>();
    known.set(entry, texts);
    const contextKey = `${context.minor} ${context.host}`;
    const found = texts.get(contextKey);
    if (found !== undefined) return found;
    const text = JSON.stringify([entry.kind.name, 'change', bodyOf(entry, context)]);
    if (texts.size < maxTexts) texts.set(contextKey, text);
    return text;
  };
}

function bodyOf({ entity, progress }: StreamEntry, context: ViewContext): object {
  if (!entity) throw new Error('an entity without a row has no body');
  const body = entity.body(context);
  return progress === undefined ? body : { ...body, progress };
}

function keyFieldsOf({ entity, key, kind }: StreamEntry): object {
  if (entity) return entity.keyFields;
  return kind.name === 'service' ? { id: Number(key) } : { uuid: key };
}

/** Merges batches, oldest first, into one with each entity once, in order of the last change. */
export function mergeEntries(batches: readonly (readonly StreamEntry[])[]): StreamEntry[] {
  const merged = new Map<string, StreamEntry>();
  for (const entry of batches.flat()) {
    const name = `${entry.kind.name} ${entry.key}`;
    const before = merged.get(name);
    merged.delete(name);
    merged.set(name, before ? follow(before, entry) : entry);
  }
  return [...merged.values()].sort((a, b) => a.revno - b.revno);
}

function follow(before: StreamEntry, entry: StreamEntry): StreamEntry {
  const isCreatedBefore = before.created !== null;
  return { ...entry, created: isCreatedBefore ? before.created : null, states: [...before.states, ...entry.states] };
}
