import type { ApprovalState } from '#libs/domain';
import type { Session } from '../session/session.ts';

/** Filter, order and page of a list. */
export interface ListRequest {
  /** A part of a name, or the start of a uuid, case-insensitive. */
  search?: string | undefined;
  /** Any of these states. */
  states?: readonly string[] | undefined;
  /** For plans: whether they are paused. */
  paused?: boolean | undefined;
  /** For plans: state of the approval. */
  approval?: ApprovalState | undefined;
  /** For plans: uuid of the audit, and of the plan that they undo. */
  audit?: string | undefined;
  undoes?: string | undefined;
  /** For audits: `ONESHOT`, `CONTINUOUS` or `EVENT`. */
  type?: string | undefined;
  /** One of `planSorts` or `auditSorts`. */
  sort: string;
  descending: boolean;
  /** Number of rows to skip, and maximum number of rows. */
  offset: number;
  limit: number;
}

/** A page of a list, in its order. */
interface ListedPage {
  uuids: string[];
  /** Number of rows of all pages. */
  total: number;
}

/** Lists for users that the database searches, sorts and pages. */
export interface EntityLists {
  plans(request: ListRequest): Promise<ListedPage>;
  audits(request: ListRequest): Promise<ListedPage>;
}

/** Order of plans by urgency for the operator: suspended, paused, running and waiting ones, then ended ones. */
const urgency = `CASE WHEN entry.state = 'SUSPENDED' THEN 6
  WHEN entry.paused AND entry.state IN ('PENDING', 'ONGOING') THEN 5
  WHEN entry.state = 'ONGOING' THEN 4 WHEN entry.state = 'CANCELLING' THEN 3
  WHEN entry.state = 'PENDING' THEN 2 WHEN entry.state = 'RECOMMENDED' THEN 1 ELSE 0 END`;

/** The sort keys of plans, with their expressions. */
const planColumns = {
  plan: 'entry.uuid',
  state: 'entry.state',
  strategy: 'strategies.display_name',
  audit: 'audits.name',
  created: 'entry.created_at',
  updated: 'entry.updated_at',
  urgency,
} as const;

/** The sort keys of audits, with their expressions. */
const auditColumns = {
  name: 'entry.name',
  state: 'entry.state',
  type: 'entry.audit_type',
  goal: 'goals.display_name',
  strategy: 'strategies.display_name',
  next: 'entry.next_run_time',
  created: 'entry.created_at',
  updated: 'entry.updated_at',
} as const;

/** Names by which lists can be sorted. */
export const planSorts = Object.keys(planColumns);
export const auditSorts = Object.keys(auditColumns);

const planTables = `action_plans AS entry JOIN audits ON audits.id = entry.audit_id
  LEFT JOIN strategies ON strategies.id = entry.strategy_id LEFT JOIN goals ON goals.id = audits.goal_id`;
const auditTables = `audits AS entry LEFT JOIN goals ON goals.id = entry.goal_id
  LEFT JOIN strategies ON strategies.id = entry.strategy_id`;

/** Creates the lists. */
export function createEntityLists(session: Session): EntityLists {
  return {
    plans: (request) =>
      page(session, request, {
        tables: planTables,
        name: 'audits.name',
        goalId: 'audits.goal_id',
        order: columnOf(planColumns, request.sort),
        where: `($5::boolean IS NULL OR entry.paused = $5) AND $6::text IS NULL
          AND ($7::uuid IS NULL OR audits.uuid = $7) AND ($8::uuid IS NULL OR entry.rolls_back = $8)
          AND ($9::text IS NULL OR entry.approval = $9)`,
      }),
    audits: (request) =>
      page(session, request, {
        tables: auditTables,
        name: 'entry.name',
        goalId: 'entry.goal_id',
        order: columnOf(auditColumns, request.sort),
        where: `$5::boolean IS NULL AND ($6::text IS NULL OR entry.audit_type = $6)
          AND $7::uuid IS NULL AND $8::uuid IS NULL AND $9::text IS NULL`,
      }),
  };
}

function columnOf(columns: Readonly<Record<string, string>>, name: string): string {
  const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
  if (column === undefined) throw new RangeError(`lists cannot be sorted by ${name}`);
  return column;
}

/** Goals or strategies with the text of `$2` in a name: found once for all rows. */
function withName(table: 'goals' | 'strategies'): string {
  return `SELECT id FROM ${table} WHERE lower(concat_ws(' ', display_name, name)) LIKE '%' || $2 || '%'`;
}

/** Pattern of `LIKE` for a text. Null for an empty one. */
function patternOf(text: string): string | null {
  return text === '' ? null : text.replaceAll(/[\\%_]/g, '\\$&');
}

/** Parts of the query. None is from a request. */
interface ListSql {
  tables: string;
  name: string;
  goalId: string;
  order: string;
  where: string;
}

async function page(session: Session, request: ListRequest, sql: ListSql): Promise<ListedPage> {
  const { search, states, paused, approval, type, audit, undoes, descending, offset, limit } = request;
  const direction = descending ? 'DESC NULLS LAST' : 'ASC NULLS FIRST';
  const rows = await session.read((manager) =>
    manager.query<{ uuid: string; total: string }[]>(
      `SELECT entry.uuid, count(*) OVER () AS total FROM ${sql.tables}
       WHERE entry.deleted = 0 AND ($1::text[] IS NULL OR entry.state = ANY ($1))
         AND ($2::text IS NULL OR lower(${sql.name}) LIKE '%' || $2 || '%' OR entry.uuid::text LIKE $2 || '%'
           OR entry.strategy_id IN (${withName('strategies')}) OR ${sql.goalId} IN (${withName('goals')}))
         AND ${sql.where}
       ORDER BY ${sql.order} ${direction}, entry.id ${descending ? 'DESC' : 'ASC'} LIMIT $3 OFFSET $4`,
      [
        states ?? null,
        patternOf(search?.trim().toLowerCase() ?? ''),
        limit,
        offset,
        paused ?? null,
        type ?? null,
        audit ?? null,
        undoes ?? null,
        approval ?? null,
      ],
    ),
  );
  return { uuids: rows.map(({ uuid }) => uuid), total: Number(rows[0]?.total ?? 0) };
}
