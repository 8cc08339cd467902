import type { Action, ActionPlan, Audit, AuditTemplate, Goal, Service, Strategy } from '#libs/client';

/** Entities that are kept live, by the stream's name of their kind. */
export interface LiveKinds {
  goal: Goal;
  strategy: Strategy;
  audit_template: AuditTemplate;
  audit: Audit;
  action_plan: ActionPlan;
  action: Action;
  service: Service;
}

/** A name of a kind. */
export type LiveKind = keyof LiveKinds;
/** Whether changes arrive; `reconnecting` after a break, `refused` when the session may not watch. */
export type LiveStatus = 'connecting' | 'live' | 'reconnecting' | 'refused';

/** One change of one entity. */
export interface LiveChange {
  kind: LiveKind;
  id: string;
  /** Null: it is gone. */
  entity: object | null;
}

/** What the one stream of a tab has brought; components subscribe to the kinds they show. */
export interface LiveStore {
  status(): LiveStatus;
  setStatus(status: LiveStatus): void;
  /** Entities of a kind; the same array until one of them changes. */
  list<Kind extends LiveKind>(kind: Kind): readonly LiveKinds[Kind][];
  get<Kind extends LiveKind>(kind: Kind, id: string): LiveKinds[Kind] | undefined;
  /** Applies changes and tells subscribers once. With `restart` everything known before is dropped. */
  apply(changes: readonly LiveChange[], options?: { restart?: boolean }): void;
  /** Whether the first full state has arrived. */
  isComplete(): boolean;
  setComplete(): void;
  subscribe(listener: () => void): () => void;
}

/** An empty store. */
export function createLiveStore(): LiveStore {
  let entities = new Map<LiveKind, Map<string, object>>();
  const lists = new Map<LiveKind, readonly object[]>();
  const listeners = new Set<() => void>();
  let status: LiveStatus = 'connecting';
  let complete = false;

  function tell(): void {
    for (const listener of listeners) listener();
  }

  return {
    status: () => status,
    setStatus(next) {
      if (next === status) return;
      status = next;
      tell();
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
        lists.clear();
      }
      for (const { kind, id, entity } of changes) {
        const ofKind = entities.get(kind) ?? new Map<string, object>();
        if (entity) ofKind.set(id, entity);
        else ofKind.delete(id);
        entities.set(kind, ofKind);
        lists.delete(kind);
      }
      if (changes.length > 0 || options.restart) tell();
    },
    isComplete: () => complete,
    setComplete() {
      if (complete) return;
      complete = true;
      tell();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
