import type { JsonObject } from '#libs/domain';
import type { Session } from '../session/session.ts';

/** The state of an object that is not a row, published by one process for all others. */
export interface PublishedState {
  /** Kind in the change log: `data_model` or `dead_letters`. */
  kind: string;
  name: string;
  doc: JsonObject;
  /** Time of the last report. */
  at: Date;
}

/** The newest state of each object. A change of `doc` is added to the change log. */
export interface PublishedStates {
  /** Seconds since the last report of the state. Null without a report. */
  age(kind: string, name: string): Promise<number | null>;
  /** Stores a state. With `newerBy`, only if that field of `doc` (ISO 8601) is not less than the stored value. */
  publish(state: Omit<PublishedState, 'at'>, newerBy?: string): Promise<void>;
  list(kind: string): Promise<PublishedState[]>;
}

/** States that processes publish for each other. See `PublishedStates`. */
export function createPublishedStates(session: Session): PublishedStates {
  return {
    age: (kind, name) =>
      session.read(async (manager) => {
        const [row] = await manager.query<{ seconds: number }[]>(
          `SELECT extract(epoch FROM now() - at)::double precision AS seconds FROM published_states
           WHERE kind = $1 AND name = $2`,
          [kind, name],
        );
        return row?.seconds ?? null;
      }),

    publish: ({ kind, name, doc }, newerBy) =>
      session.writeOnce(async (manager) => {
        await manager.query(
          `INSERT INTO published_states AS known (kind, name, doc) VALUES ($1, $2, $3)
           ON CONFLICT (kind, name) DO UPDATE SET doc = excluded.doc, at = now()
           WHERE $4::text IS NULL
             OR (excluded.doc ->> $4)::timestamptz >= coalesce((known.doc ->> $4)::timestamptz, '-infinity')`,
          [kind, name, doc, newerBy ?? null],
        );
      }),

    list: (kind) =>
      session.read((manager) =>
        manager.query<PublishedState[]>(
          'SELECT kind, name, doc, at FROM published_states WHERE kind = $1 ORDER BY name',
          [kind],
        ),
      ),
  };
}
