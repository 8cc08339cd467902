import type { JsonObject } from '#libs/domain';
import type { UnitOfWork } from './entities/types.ts';

/** A place in the change log. */
export interface LogPosition {
  epoch: number;
  revno: number;
}

/** What happened to one entity within a window of the change log, without its content. */
export interface ChangedEntity {
  kind: string;
  entityUuid: string;
  /** Number of its last change in the window. */
  revno: number;
  /** Number of its creation when it came to be within the window; null when it was there before. */
  created: number | null;
  /** Changes of its state: number of the change, and the state before it; oldest first. */
  states: readonly (readonly [revno: number, oldState: string])[];
  /** When the transaction of the last change began. */
  at: Date;
}

/** A window of the change log: all changes after `since` up to `upTo`. */
export interface LogWindow {
  epoch: number;
  since: number;
  upTo: number;
  /** Only entities whose last change is after this number; default `since`. */
  after?: number;
}

/** A long-poll watcher. Rows that were not asked for during `idleSeconds` are gone. */
export interface Watcher {
  id: string;
  owner: string;
  filter: JsonObject;
  /** What its client has seen; null before the first answer. */
  position: LogPosition | null;
  /** Last entity of the page of the first state that was sent last; null when all was sent. */
  pageAfter: string | null;
  /** Newest number that a page of the first state has seen. */
  pagedUntil: number;
  /** Changes with every move. */
  version: number;
  isStopped: boolean;
}

/** Long-poll watchers, which every API process can serve. */
export interface Watchers {
  /** False when the owner has `limit` watchers already. */
  create(watcher: { id: string; owner: string; filter: JsonObject }, limit: number): Promise<boolean>;
  /** The watcher, which counts as being used; null when there is none. */
  use(id: string): Promise<Watcher | null>;
  /** Keeps what was sent; false when the watcher was stopped or another process has moved it since `version`. */
  move(
    id: string,
    version: number,
    to: { position: LogPosition; pageAfter: string | null; pagedUntil: number },
  ): Promise<boolean>;
  /** Stops it, also when it is stopped already or was never there. */
  stop(id: string, owner: string): Promise<void>;
  /** Those of `ids` that are stopped or gone. */
  stopped(ids: readonly string[]): Promise<string[]>;
  count(): Promise<number>;
  /** Calls `wake` when watchers may have been stopped by any process (a hint only). */
  onStopped(wake: () => void): Promise<() => Promise<void>>;
}

/** What followers of all changes need beside the numbered log. */
export interface ChangeStreamStore {
  /**
   * Runs reads on one consistent snapshot of the database and says which place in the log it is: the snapshot has all
   * changes up to there and none after. `unit` must only be read from and not be used after the end of `work`.
   */
  snapshot<T>(work: (unit: UnitOfWork, at: LogPosition) => Promise<T>): Promise<T>;
  /** Entities that have changed within a window, in order of their last change; at most `limit`. */
  changed(window: LogWindow, limit: number): Promise<ChangedEntity[]>;
  /** Logs services that have fallen silent or are back since the last call of any process; answers how many. */
  noteServiceStatuses(): Promise<number>;
  /** Numbered changes that are kept, and the age of the oldest in seconds. */
  measure(): Promise<{ changes: number; oldestSeconds: number }>;
  /** Calls `wake` after each commit that has changed something (LISTEN/NOTIFY; a hint only). */
  onChanges(wake: () => void): Promise<() => Promise<void>>;
  watchers: Watchers;
}
