import type { JsonObject } from '#libs/domain';

/** What a process tells all others of a thing that is not a row. */
export interface PublishedState {
  /** As in the change log: `data_model` or `dead_letters`. */
  kind: string;
  name: string;
  doc: JsonObject;
  /** Last time that it was told. */
  at: Date;
}

/** The newest state of each thing; a change of `doc` goes to the change log. */
export interface PublishedStates {
  /** Seconds since the state was told last; null when it never was. */
  age(kind: string, name: string): Promise<number | null>;
  /** Keeps a state. With `newerBy` only when that field of `doc` (ISO 8601) is not less than what is kept. */
  publish(state: Omit<PublishedState, 'at'>, newerBy?: string): Promise<void>;
  list(kind: string): Promise<PublishedState[]>;
}
