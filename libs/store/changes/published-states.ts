import type { PublishedState, PublishedStates } from '../published-states-contract.ts';
import type { Session } from '../session/session.ts';

/** States that processes tell each other; see `PublishedStates`. */
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
