import type { LiveKind } from './live-entities.ts';

const endStates: ReadonlySet<string> = new Set([
  'SUCCEEDED',
  'FAILED',
  'SKIPPED',
  'CANCELLED',
  'SUPERSEDED',
  'DELETED',
]);

/** Whether an audit, a plan or an action in this state no longer changes anything. */
export function hasEnded(state: string): boolean {
  return endStates.has(state);
}

/** Ended entities of a kind that the store keeps. Pages read others when they show them. */
export const mostEnded = { audit: 50, action_plan: 50, action: 200 } satisfies Partial<Record<LiveKind, number>>;
type EndingKind = keyof typeof mostEnded;

/** The order in which entities ended, so that an open page does not grow with every plan. */
export interface EndedEntities {
  note(kind: LiveKind, id: string, entity: { state?: string } | null): void;
  /** Ids beyond the number to keep, those that ended first. Each is returned once. */
  takeSurplus(kind: LiveKind, isKept: (id: string) => boolean): string[];
}

/** An empty order. */
export function createEndedEntities(): EndedEntities {
  const ended = new Map<LiveKind, Set<string>>();
  return {
    note(kind, id, entity) {
      if (!(kind in mostEnded)) return;
      const ids = ended.get(kind) ?? new Set();
      ended.set(kind, ids);
      ids.delete(id);
      if (hasEnded(entity?.state ?? '')) ids.add(id);
    },
    takeSurplus(kind, isKept) {
      const ids = ended.get(kind) ?? new Set();
      const surplus: string[] = [];
      for (const id of ids) {
        if (ids.size <= mostEnded[kind as EndingKind]) break;
        if (isKept(id)) continue;
        ids.delete(id);
        surplus.push(id);
      }
      return surplus;
    },
  };
}
