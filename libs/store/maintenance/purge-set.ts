import type { Client } from 'pg';
import { OperatorError } from '#libs/domain';

/** Kinds that `vigil db purge` removes, parents first. */
export const purgeKinds = ['goals', 'strategies', 'audit_templates', 'audits', 'action_plans', 'actions'] as const;
export type PurgeKind = (typeof purgeKinds)[number];
/** Rows by kind. */
export type PurgeCounts = Record<PurgeKind, number>;

/** The choice of rows to purge. By default everything that is soft-deleted, and orphans. */
export interface PurgeChoice {
  /** Only rows that were deleted longer ago. Related rows are included at any age. */
  ageInDays?: number;
  /** Uuid or name of a soft-deleted goal: only the goal and its related rows. */
  goal?: string;
  /** Keep rows that are not deleted but refer to a deleted row. */
  excludeOrphans?: boolean;
}

/** How rows refer to each other for a purge: a deleted parent includes its deleted children. */
const followed: [child: PurgeKind, column: string, parent: PurgeKind][] = [
  ['strategies', 'goal_id', 'goals'],
  ['audit_templates', 'goal_id', 'goals'],
  ['audits', 'goal_id', 'goals'],
  ['audit_templates', 'strategy_id', 'strategies'],
  ['audits', 'strategy_id', 'strategies'],
  ['action_plans', 'audit_id', 'audits'],
  ['actions', 'action_plan_id', 'action_plans'],
];

/** Every reference that the database enforces between the kinds. */
const references: typeof followed = [...followed, ['action_plans', 'strategy_id', 'strategies']];

/** Rows that a process may be working on are never orphans. */
const atRest: Partial<Record<PurgeKind, string>> = {
  audits: "AND child.state NOT IN ('PENDING', 'ONGOING')",
  action_plans: "AND child.state NOT IN ('PENDING', 'ONGOING', 'CANCELLING', 'SUSPENDED')",
  actions: "AND child.state NOT IN ('ONGOING', 'CANCELLING')",
};

/**
 * Collects the rows that `choice` describes in the temporary table `purge_set (kind, id, goal_id)`. `goal_id` is null
 * for orphans.
 * @throws OperatorError when `goal` is not a soft-deleted goal
 */
export async function collectPurgeSet(client: Client, choice: PurgeChoice): Promise<void> {
  await client.query(`
    DROP TABLE IF EXISTS purge_set;
    CREATE TEMP TABLE purge_set (kind text NOT NULL, id bigint NOT NULL, goal_id bigint, PRIMARY KEY (kind, id));
  `);
  await collectDeleted(client, choice);
  if (!choice.excludeOrphans) await collectOrphans(client);
  await dropReferred(client);
}

async function collectDeleted(client: Client, { ageInDays, goal }: PurgeChoice): Promise<void> {
  const goalId = goal === undefined ? null : await deletedGoal(client, goal);
  for (const kind of purgeKinds) {
    if (goalId !== null && kind !== 'goals') continue;
    await client.query(
      `INSERT INTO purge_set SELECT $1, row.id, ${goalOf[kind]} FROM ${kind} row
       WHERE row.deleted <> 0 AND ($2::int IS NULL OR row.deleted_at < now() - make_interval(days => $2::int))
         AND ($3::bigint IS NULL OR row.id = $3::bigint)`,
      [kind, ageInDays ? ageInDays : null, goalId],
    );
  }
  for (const [child, column, parent] of followed) {
    await client.query(
      `INSERT INTO purge_set SELECT $1, row.id, ${goalOf[child]} FROM ${child} row
       JOIN purge_set parent ON parent.kind = $2 AND parent.id = row.${column}
       WHERE row.deleted <> 0 ON CONFLICT DO NOTHING`,
      [child, parent],
    );
  }
}

const goalOf: Record<PurgeKind, string> = {
  goals: 'row.id',
  strategies: 'row.goal_id',
  audit_templates: 'row.goal_id',
  audits: 'row.goal_id',
  action_plans: '(SELECT goal_id FROM audits WHERE audits.id = row.audit_id)',
  actions:
    '(SELECT goal_id FROM audits JOIN action_plans plan ON plan.audit_id = audits.id WHERE plan.id = row.action_plan_id)',
};

async function deletedGoal(client: Client, ident: string): Promise<string> {
  const { rows } = await client.query<{ id: string; deleted: string }>(
    'SELECT id, deleted FROM goals WHERE uuid::text = $1 OR name = $1 ORDER BY deleted = 0, id DESC LIMIT 1',
    [ident],
  );
  const [found] = rows;
  if (!found) throw new OperatorError(`There is no goal ${ident}`, { exitCode: 1 });
  if (found.deleted === '0') throw new OperatorError(`The Goal resource ${ident} is not soft deleted`, { exitCode: 1 });
  return found.id;
}

/** Rows that are not deleted and refer, also through other orphans, to something that is. */
async function collectOrphans(client: Client): Promise<void> {
  const known = 'SELECT 1 FROM purge_set WHERE purge_set.kind = $2 AND purge_set.id = parent.id AND goal_id IS NULL';
  for (const [child, column, parent] of references) {
    await client.query(
      `INSERT INTO purge_set SELECT $1, child.id, NULL FROM ${child} child JOIN ${parent} parent ON parent.id = child.${column}
       WHERE child.deleted = 0 ${atRest[child] ?? ''} AND (parent.deleted <> 0 OR EXISTS (${known}))
       ON CONFLICT DO NOTHING`,
      [child, parent],
    );
  }
}

/** Removes rows from the set that rows outside of it still refer to, until no such reference is left. */
async function dropReferred(client: Client): Promise<void> {
  for (const [child, column, parent] of [...references].sort(byChild)) {
    await client.query(
      `DELETE FROM purge_set USING ${child} child
       WHERE purge_set.kind = $2 AND child.${column} = purge_set.id
         AND NOT EXISTS (SELECT 1 FROM purge_set other WHERE other.kind = $1 AND other.id = child.id)`,
      [child, parent],
    );
  }
}

/** The deepest children first, so that one round is enough. */
function byChild([one]: (typeof references)[number], [other]: (typeof references)[number]): number {
  return purgeKinds.indexOf(other) - purgeKinds.indexOf(one);
}

/** How many rows of each kind the set has. */
export async function countPurgeSet(client: Client): Promise<PurgeCounts> {
  const { rows } = await client.query<{ kind: PurgeKind; count: string }>(
    'SELECT kind, count(*) FROM purge_set GROUP BY kind',
  );
  const counts = Object.fromEntries(purgeKinds.map((kind) => [kind, 0])) as PurgeCounts;
  for (const { kind, count } of rows) counts[kind] = Number(count);
  return counts;
}

/**
 * Keeps the rows of whole goals, in order of their ids, until the next would exceed `limit` rows. Orphans belong to no
 * goal and are left out.
 */
export async function limitPurgeSet(client: Client, limit: number): Promise<void> {
  await client.query(
    `DELETE FROM purge_set WHERE goal_id IS NULL OR goal_id NOT IN (
       SELECT goal_id FROM (
         SELECT goal_id, sum(count(*)) OVER (ORDER BY goal_id) AS total FROM purge_set
         WHERE goal_id IS NOT NULL GROUP BY goal_id
       ) aggregates WHERE total <= $1)`,
    [limit],
  );
  await dropReferred(client);
}
