import type { JsonObject } from '#libs/domain';

/** How far running actions are, as their appliers tell over the bus. It is kept in memory only. */
export interface ProgressNotes {
  /** Takes what a message `action.progress` says. */
  note(body: JsonObject): void;
  /** Completed fraction, 0 to 1. Undefined when nothing was told. */
  of(actionUuid: string): number | undefined;
  isPending(): boolean;
  /** Actions whose progress has changed since the last call. */
  take(): string[];
  /** Told when there is something to take. */
  onNews(listener: () => void): void;
}

/** Actions that are remembered. Then the one told of longest ago is forgotten. */
const maxActions = 10_000;

/** Makes an empty set of notes. */
export function createProgressNotes(): ProgressNotes {
  const fractions = new Map<string, number>();
  const changed = new Set<string>();
  let tell: () => void = () => undefined;
  return {
    note({ action_uuid: uuid, fraction }) {
      if (typeof uuid !== 'string' || typeof fraction !== 'number' || !(fraction >= 0 && fraction <= 1)) return;
      if (fractions.get(uuid) === fraction) return;
      fractions.delete(uuid);
      fractions.set(uuid, fraction);
      const [oldest] = fractions.keys();
      if (fractions.size > maxActions && oldest !== undefined) fractions.delete(oldest);
      changed.add(uuid);
      tell();
    },
    of: (uuid) => fractions.get(uuid),
    isPending: () => changed.size > 0,
    take() {
      const uuids = [...changed];
      changed.clear();
      return uuids;
    },
    onNews(listener) {
      tell = listener;
    },
  };
}
