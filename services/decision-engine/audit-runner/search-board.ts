import type { SearchStatus } from '#libs/domain';
import type { RunProgress } from '../strategy-runner/worker-protocol.ts';

/** Connection to one search. */
export interface SearchLine {
  /** Fires on a request for the best result so far. */
  finish: AbortSignal;
  onProgress(progress: RunProgress, start: number): void;
  /** Removes the search at the end of the run. */
  end(): void;
}

/** Searches in this process, by uuid of their audit: their results, and requests to end with the best result. */
export interface SearchBoard {
  begin(auditUuid: string): SearchLine;
  /** Null for an audit that is not running here. */
  status(auditUuid: string): SearchStatus | null;
  /**
   * Requests the best result so far. Null for an audit that is not running here. A search that has not started receives
   * the request at its start.
   */
  finish(auditUuid: string): SearchStatus | null;
  /** Requests the best result of all searches that have one. Returns whether any has. */
  finishAll(): boolean;
}

interface Entry {
  ending: AbortController;
  /** Latest report of each start. */
  starts: Map<number, RunProgress>;
}

/** The best value of all starts, with the work of all starts. */
function statusOf({ ending, starts }: Entry): SearchStatus {
  const reported = [...starts.values()];
  const [first, ...others] = reported;
  const best = others.reduce((kept, one) => (one.best.value < (kept?.best.value ?? Infinity) ? one : kept), first);
  const sum = (part: 'work' | 'budget') => reported.reduce((all, progress) => all + progress[part], 0);
  return {
    isFinishing: ending.signal.aborted,
    value: best?.best.value ?? null,
    bound: best?.best.bound ?? null,
    moves: best?.best.moves ?? null,
    work: sum('work'),
    budget: sum('budget'),
    starts: reported.length,
  };
}

/** A board without searches. */
export function createSearchBoard(): SearchBoard {
  const entries = new Map<string, Entry>();
  return {
    begin(auditUuid) {
      const entry: Entry = { ending: new AbortController(), starts: new Map() };
      entries.set(auditUuid, entry);
      return {
        finish: entry.ending.signal,
        onProgress: (progress, start) => void entry.starts.set(start, progress),
        end() {
          if (entries.get(auditUuid) === entry) entries.delete(auditUuid);
        },
      };
    },
    status(auditUuid) {
      const entry = entries.get(auditUuid);
      return entry === undefined ? null : statusOf(entry);
    },
    finish(auditUuid) {
      const entry = entries.get(auditUuid);
      if (entry === undefined) return null;
      entry.ending.abort();
      return statusOf(entry);
    },
    finishAll() {
      const searching = [...entries.values()].filter(({ starts }) => starts.size > 0);
      for (const { ending } of searching) ending.abort();
      return searching.length > 0;
    },
  };
}
