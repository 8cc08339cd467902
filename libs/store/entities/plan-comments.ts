import type { KnownUser } from '#libs/domain';
import type { Session } from '../session/session.ts';

/** Most comments of one plan. */
export const maxPlanComments = 500;

/** A comment of a user on an action plan. It is never changed. */
export interface PlanComment {
  uuid: string;
  planUuid: string;
  /** 1 to 2,000 characters. */
  text: string;
  author: KnownUser;
  createdAt: Date;
}

/** Comments on action plans. They are removed with their plan. */
export interface PlanComments {
  /**
   * Adds a comment. Comments of one plan are serialized, so it runs in a transaction.
   * @returns null when the plan has `maxPlanComments`, or is deleted
   */
  add(planId: number, comment: Pick<PlanComment, 'uuid' | 'text' | 'author'>): Promise<PlanComment | null>;
  find(uuid: string): Promise<PlanComment | null>;
  /** The comments of a plan, newest last. */
  list(planId: number): Promise<PlanComment[]>;
  /** Numbers of comments by plan. Plans without comments are absent. */
  counts(planIds: readonly number[]): Promise<Map<number, number>>;
}

const columns = `comment.uuid, plan.uuid AS "planUuid", comment.text, comment.author,
  comment.created_at AS "createdAt"`;
const source = 'FROM plan_comments AS comment JOIN action_plans AS plan ON plan.id = comment.plan_id';

/** Comments on plans, working through `session`. Times are the database's. */
export function createPlanComments(session: Session): PlanComments {
  const select = (condition: string, value: unknown) =>
    session.read((manager) =>
      manager.query<PlanComment[]>(`SELECT ${columns} ${source} WHERE ${condition} ORDER BY comment.id`, [value]),
    );
  const find = async (uuid: string) => (await select('comment.uuid = $1', uuid))[0] ?? null;

  return {
    add: (planId, { uuid, text, author }) =>
      session.write(async (manager) => {
        await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('vigil:plan comments', $1))`, [planId]);
        const rows = await manager.query<PlanComment[]>(
          `WITH comment AS (
             INSERT INTO plan_comments (uuid, plan_id, text, author)
             SELECT $2, id, $3, $4 FROM action_plans
             WHERE id = $1 AND deleted = 0 AND (SELECT count(*) FROM plan_comments WHERE plan_id = $1) < $5
             RETURNING *
           ) SELECT ${columns} FROM comment JOIN action_plans AS plan ON plan.id = comment.plan_id`,
          [planId, uuid, text, JSON.stringify(author), maxPlanComments],
        );
        return rows[0] ?? null;
      }),

    find,
    list: (planId) => select('comment.plan_id = $1', planId),

    counts: (planIds) =>
      session.read(async (manager) => {
        const rows = await manager.query<{ planId: number; count: number }[]>(
          `SELECT plan_id::float8 AS "planId", count(*)::integer AS count FROM plan_comments
           WHERE plan_id = ANY ($1) GROUP BY plan_id`,
          [planIds],
        );
        return new Map(rows.map(({ planId, count }) => [planId, count]));
      }),
  };
}
