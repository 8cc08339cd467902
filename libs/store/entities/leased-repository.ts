import type { EntitySchema } from 'typeorm';
import { isUnbroken } from '../lineage/seal.ts';
import type { ViewDefinition } from '../list-query.ts';
import { isUuid } from '../reading/filters.ts';
import { viewQuery } from '../reading/view-query.ts';
import type { Session } from '../session/session.ts';
import type { LeasedRepository } from '../types.ts';
import type { LeaseRequest } from '../work/leases.ts';

/** The specifics of claims for one kind of entity. */
export interface LeaseRules {
  /** State that is claimed, and its successor. */
  claim: { from: readonly string[]; to: string };
  /** States that a take-over does not change. */
  takeOverFrom: readonly string[];
  /** Further assignments of a claim and a take-over, such as a counter. */
  countRun?: string;
  /** SQL condition for work without a valid lease to be due. */
  due?: string;
  /** SQL condition for PENDING work to be due. */
  pendingDue?: string;
  /** SQL condition for PENDING work that never has a message. The poller does not wait for one. */
  pendingWithoutMessage?: string;
  /** SQL condition for a claim. */
  claimable?: string;
  /** Whether started work is listed first. By default, work is listed by waiting time. */
  startedFirst?: boolean;
  /** SQL condition for work that is listed before all other. Default: no work. */
  urgent?: string;
  /** Whether a claim may name a `launch_seq`. */
  hasLaunchSeq: boolean;
}

/** The recovery coordinator excludes processes with an incompatible version. */
const mayWork = `NOT EXISTS (
  SELECT 1 FROM service_instances WHERE NOT accepts_work AND service_instances.instance_id::text = $3
)`;

interface LeasedRow {
  id: number;
}

/** Claims, take-overs and renewals. Every time is the database's. */
export function createLeasedRepository<Row extends LeasedRow, View extends Row>(
  session: Session,
  view: ViewDefinition<Row, View>,
  rules: LeaseRules,
): LeasedRepository<View> {
  const table = tableOf(view.schema);
  const due = rules.due ?? 'true';
  const pendingDue = rules.pendingDue ?? 'true';
  const withoutMessage = rules.pendingWithoutMessage ?? 'false';
  const startedFirst = rules.startedFirst ? '(state = ANY($1::text[])) DESC,' : '';
  const urgentFirst = rules.urgent ? `(${rules.urgent}) DESC,` : '';
  const unheld = `(lease_expires_at IS NULL OR lease_expires_at <= now()) AND ${due}`;
  const expiry = (parameter: string) => `now() + ${parameter} * interval '1 millisecond'`;
  const holding = `hostname = $2, run_instance = $3, fence = nextval('fence_seq'),
    lease_expires_at = ${expiry('$4::double precision')}${rules.countRun ? `, ${rules.countRun}` : ''}`;

  function take(uuid: string, lease: LeaseRequest, assignment: string, condition: string, parameters: unknown[]) {
    return session.write(async (manager) => {
      if (!isUuid(uuid)) return null;
      const [rows] = await manager.query<[{ id: number }[], number]>(
        `UPDATE ${table} SET ${assignment} WHERE uuid = $1 AND deleted = 0 AND ${condition} AND ${mayWork} AND ${isUnbroken}
         RETURNING id`,
        [uuid, lease.host, lease.instance, lease.ttlMs, ...parameters],
      );
      return rows[0] ? viewQuery(manager, view, session.statements).byId(rows[0].id) : null;
    });
  }

  return {
    claim(uuid, lease, options = {}) {
      const byLaunch = rules.hasLaunchSeq && options.launchSeq !== undefined;
      return take(
        uuid,
        lease,
        `state = $5, ${holding}`,
        `state = ANY($6::text[]) AND ${rules.claimable ?? 'true'}${byLaunch ? ' AND launch_seq = $7' : ''}`,
        [rules.claim.to, rules.claim.from, ...(byLaunch ? [options.launchSeq] : [])],
      );
    },

    takeOver: (uuid, lease) =>
      take(uuid, lease, holding, `state = ANY($5::text[]) AND ${unheld}`, [rules.takeOverFrom]),

    renewLease: (uuid, fence, ttlMs) =>
      session.write(async (manager) => {
        const [, count] = await manager.query<[unknown[], number]>(
          `UPDATE ${table} SET lease_expires_at = ${expiry('$3::double precision')}
           WHERE uuid = $1 AND fence = $2 AND deleted = 0 AND run_instance IS NOT NULL AND state = ANY($4::text[])`,
          [uuid, fence, ttlMs, rules.takeOverFrom],
        );
        return count > 0;
      }),

    releaseLease: (uuid, fence) =>
      session.write(async (manager) => {
        await manager.query(
          `UPDATE ${table} SET lease_expires_at = NULL, run_instance = NULL WHERE uuid = $1 AND fence = $2 AND deleted = 0`,
          [uuid, fence],
        );
      }),

    findClaimable: ({ pendingMs, limit, onlyUrgent = false }) =>
      session.read((manager) =>
        manager.query<{ uuid: string; expired: boolean }[]>(
          `SELECT uuid, state = ANY($1::text[]) AS expired FROM ${table}
           WHERE deleted = 0 ${onlyUrgent ? `AND ${rules.urgent ?? 'false'}` : ''} AND (
             (state = ANY($2::text[]) AND ${pendingDue} AND (${withoutMessage}
               OR coalesce(updated_at, created_at) <= now() - $3::double precision * interval '1 millisecond'))
             OR (state = ANY($1::text[]) AND ${unheld})
           )
           ORDER BY ${startedFirst} ${urgentFirst} coalesce(updated_at, created_at), id LIMIT $4`,
          [rules.takeOverFrom, rules.claim.from, pendingMs, limit],
        ),
      ),

    nextLeaseEnd: () =>
      session.read(async (manager) => {
        const rows = await manager.query<{ ms: number | null }[]>(
          `SELECT extract(epoch FROM min(lease_expires_at) - now())::double precision * 1000 AS ms FROM ${table}
           WHERE deleted = 0 AND state = ANY($1::text[]) AND lease_expires_at > now()`,
          [rules.takeOverFrom],
        );
        return rows[0]?.ms ?? null;
      }),
  };
}

function tableOf<Row>(schema: EntitySchema<Row>): string {
  return schema.options.tableName ?? schema.options.name;
}
