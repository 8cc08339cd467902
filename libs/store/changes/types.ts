/** A place in the change log. */
export interface LogPosition {
  epoch: number;
  revno: number;
}

/** The change of one entity within a window of the change log, without its content. */
export interface ChangedEntity {
  kind: string;
  entityUuid: string;
  /** Number of its last change in the window. */
  revno: number;
  /** Number of its creation within the window. Null when it existed before. */
  created: number | null;
  /** Changes of its state: number of the change, and the previous state. Oldest first. */
  states: readonly (readonly [revno: number, oldState: string])[];
  /** When the transaction of the last change started. */
  at: Date;
}

/** A window of the change log: all changes after `since` up to `upTo`. */
export interface LogWindow {
  epoch: number;
  since: number;
  upTo: number;
  /** Only entities whose last change is after this number. Default `since`. */
  after?: number;
}
