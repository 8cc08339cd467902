import type { JsonObject } from '#libs/domain';

/** Progress of running actions, as published by their appliers over the bus. Kept in memory only. */
export interface ProgressNotes {
  /** Records a message `action.progress`. */
  note(body: JsonObject): void;
  /** Completed fraction, 0 to 1. Undefined when no progress was published. */
  of(actionUuid: string): number | undefined;
  isPending(): boolean;
  /** Actions whose progress has changed since the last call. */
  take(): string[];
  /** Called when there are changes to take. */
  onNews(listener: () => void): void;
}

/** Maximum number of remembered actions. The least recently updated one is dropped first. */
const maxActions = 10_000;

/** Makes an empty set of notes. */
export function createProgressNotes(): ProgressNotes {
  const fractions = new Map<string, number>();
  const changed = new Set<string>();
  let notify: () => void = () => undefined;
  return {
    note({ action_uuid: uuid, fraction }) {
      if (typeof uuid !== 'string' || typeof fraction !== 'number' || !(fraction >= 0 && fraction <= 1)) return;
      if (fractions.get(uuid) === fraction) return;
      fractions.delete(uuid);
      fractions.set(uuid, fraction);
      const [oldest] = fractions.keys();
      if (fractions.size > maxActions && oldest !== undefined) fractions.delete(oldest);
      changed.add(uuid);
      notify();
    },
    of: (uuid) => fractions.get(uuid),
    isPending: () => changed.size > 0,
    take() {
      const uuids = [...changed];
      changed.clear();
      return uuids;
    },
    onNews(listener) {
      notify = listener;
    },
  };
}
