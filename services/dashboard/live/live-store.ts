import { createEndedEntities, hasEnded } from './ended-entities.ts';
import type { LiveKind, LiveKinds } from './live-entities.ts';

/** Connection state. `reconnecting` after a break, `refused` if the session may not watch. */
export type LiveStatus = 'connecting' | 'live' | 'reconnecting' | 'refused';

/** One change of one entity. */
export interface LiveChange {
  kind: LiveKind;
  id: string;
  /** Null: deleted. */
  entity: object | null;
}

/**
 * Entities of the tab's one stream. Components subscribe to the kinds they show. Of ended audits, plans and actions it
 * keeps the last ones, and all actions of plans that run.
 */
export interface LiveStore {
  status(): LiveStatus;
  setStatus(status: LiveStatus): void;
  /** Kinds that are followed. */
  kinds(): readonly LiveKind[];
  /** Requests a kind that is not followed from the start. The store then keeps following it. */
  want(kind: LiveKind): void;
  /** Called when further kinds are required. */
  onWanted(listener: () => void): () => void;
  /** Entities of a kind. The array stays identical until one of them changes. */
  list<Kind extends LiveKind>(kind: Kind): readonly LiveKinds[Kind][];
  get<Kind extends LiveKind>(kind: Kind, id: string): LiveKinds[Kind] | undefined;
  /** Applies changes and notifies the subscribers of their kinds once. `restart` first drops all entities. */
  apply(changes: readonly LiveChange[], options?: { restart?: boolean; position?: string | null }): void;
  /** Position in the change log of the full state. Null before it, and after each later change. */
  position(): string | null;
  /** Whether the first full state of a kind has arrived. */
  isComplete(kind: LiveKind): boolean;
  setComplete(kinds: readonly LiveKind[]): void;
  /** Calls `listener` after changes of `kinds`. Without kinds, after all changes, including those of the connection. */
  subscribe(listener: () => void, kinds?: readonly LiveKind[]): () => void;
}

/** An empty store that follows `first`, and later only kinds that `may` allows. */
export function createLiveStore(
  first: readonly LiveKind[] = [],
  may: (kind: LiveKind) => boolean = () => true,
): LiveStore {
  let entities = new Map<LiveKind, Map<string, object>>();
  let ended = createEndedEntities();
  let followed = [...first];
  const lists = new Map<LiveKind, readonly object[]>();
  const listeners = new Map<() => void, readonly LiveKind[] | undefined>();
  const wantedListeners = new Set<() => void>();
  const complete = new Set<LiveKind>();
  let status: LiveStatus = 'connecting';
  let position: string | null = null;

  function notify(changed?: ReadonlySet<LiveKind>): void {
    for (const [listener, kinds] of [...listeners])
      if (!kinds || !changed || kinds.some((kind) => changed.has(kind))) listener();
  }

  function dropSurplus(kind: LiveKind): void {
    const ofKind = entities.get(kind);
    for (const id of ended.takeSurplus(kind, (known) => isOfOpenPlan(ofKind?.get(known)))) ofKind?.delete(id);
  }

  function isOfOpenPlan({ action_plan_uuid: uuid = '' }: { action_plan_uuid?: string } = {}): boolean {
    const plan = entities.get('action_plan')?.get(uuid) as LiveKinds['action_plan'] | undefined;
    return plan !== undefined && !hasEnded(plan.state);
  }

  return {
    status: () => status,
    setStatus(next) {
      if (next === status) return;
      status = next;
      for (const [listener, kinds] of [...listeners]) if (!kinds) listener();
    },
    kinds: () => followed,
    want(kind) {
      if (followed.includes(kind) || !may(kind)) return;
      followed = [...followed, kind];
      for (const listener of [...wantedListeners]) listener();
    },
    onWanted(listener) {
      wantedListeners.add(listener);
      return () => wantedListeners.delete(listener);
    },
    list<Kind extends LiveKind>(kind: Kind) {
      const known = lists.get(kind) ?? [...(entities.get(kind)?.values() ?? [])];
      lists.set(kind, known);
      return known as readonly LiveKinds[Kind][];
    },
    get<Kind extends LiveKind>(kind: Kind, id: string) {
      return entities.get(kind)?.get(id) as LiveKinds[Kind] | undefined;
    },
    apply(changes, options = {}) {
      if (options.restart) {
        entities = new Map();
        ended = createEndedEntities();
        lists.clear();
      }
      position = options.position ?? null;
      const changed = new Set<LiveKind>();
      for (const { kind, id, entity } of changes) {
        const ofKind = entities.get(kind) ?? new Map<string, object>();
        // Pages read the audit log. Its changes only say when.
        if (entity && kind !== 'audit_log') ofKind.set(id, entity);
        else ofKind.delete(id);
        ended.note(kind, id, entity);
        entities.set(kind, ofKind);
        lists.delete(kind);
        changed.add(kind);
      }
      for (const kind of changed) dropSurplus(kind);
      if (options.restart) notify();
      else if (changed.size > 0) notify(changed);
    },
    position: () => position,
    isComplete: (kind) => complete.has(kind),
    setComplete(kinds) {
      if (kinds.every((kind) => complete.has(kind))) return;
      for (const kind of kinds) complete.add(kind);
      notify();
    },
    subscribe(listener, kinds) {
      // A new function, so that the same listener may subscribe twice.
      const own = () => listener();
      listeners.set(own, kinds);
      return () => listeners.delete(own);
    },
  };
}
