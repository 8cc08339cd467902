import type { Client } from 'pg';
import type { Logger } from '#libs/domain';
import { connectDirect } from '../connection/direct-client.ts';
import {
  collectPurgeSet,
  countPurgeSet,
  limitPurgeSet,
  type PurgeChoice,
  type PurgeCounts,
  type PurgeKind,
  purgeKinds,
} from './purge-set.ts';

/** The choice of rows to purge, and the mode. */
export interface PurgeOptions extends PurgeChoice {
  /** Maximum number of rows. More are limited only after `confirmLimit`. */
  maxNumber?: number;
  dryRun?: boolean;
  logger: Logger;
  /** Called when more than `maxNumber` rows qualify. Returns whether to purge whole goals within that limit. */
  confirmLimit(counts: PurgeCounts, maxNumber: number): Promise<boolean>;
  /** Called before any removal. */
  confirm(counts: PurgeCounts): Promise<boolean>;
}

/** The result of a purge, or of its dry run. */
export interface PurgeResult {
  counts: PurgeCounts;
  /** Whether the rows were removed. False for a dry run and without a confirmation. */
  isDone: boolean;
}

/** Number of rows of one kind that one transaction removes. */
const batchSize = 1000;

/**
 * Removes soft-deleted rows and orphans permanently, with everything that belongs only to them: efficacy indicators,
 * journal, run history, and messages. Children are removed first, one transaction per batch. Rows with other references
 * stay.
 * @throws OperatorError when the database cannot be reached, or the goal is not a soft-deleted one
 */
export async function purgeDatabase(url: string, options: PurgeOptions): Promise<PurgeResult> {
  const client = await connectDirect(url, 'vigil-db', options.logger);
  try {
    await collectPurgeSet(client, options);
    const { maxNumber } = options;
    let counts = await countPurgeSet(client);
    if (maxNumber !== undefined && totalOf(counts) > maxNumber) {
      if (!(await options.confirmLimit(counts, maxNumber))) return { counts, isDone: false };
      await limitPurgeSet(client, maxNumber);
      counts = await countPurgeSet(client);
    }
    if (options.dryRun || totalOf(counts) === 0 || !(await options.confirm(counts))) return { counts, isDone: false };
    for (const kind of purgeKinds.toReversed()) await removeKind(client, kind);
    return { counts, isDone: true };
  } finally {
    await client.end();
  }
}

/** Number of rows of all kinds. */
export function totalOf(counts: PurgeCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

const messagesOf = (column: string, kind: PurgeKind) => `
  WITH removed AS (
    DELETE FROM outbox WHERE body ->> '${column}' IN (SELECT uuid::text FROM ${kind} WHERE id = ANY ($1)) RETURNING event_id
  ) DELETE FROM inbox WHERE message_id IN (SELECT event_id FROM removed)`;

/** Rows that are deleted together with rows of a kind. `$1` are their ids. */
const belongings: Partial<Record<PurgeKind, string[]>> = {
  audits: [
    messagesOf('audit_uuid', 'audits'),
    'DELETE FROM audit_variants WHERE audit_id = ANY ($1)',
    'DELETE FROM plan_totals WHERE audit_uuid IN (SELECT uuid FROM audits WHERE id = ANY ($1))',
  ],
  action_plans: [
    messagesOf('plan_uuid', 'action_plans'),
    'DELETE FROM plan_runs WHERE plan_id = ANY ($1)',
    'DELETE FROM plan_hosts WHERE plan_id = ANY ($1)',
    'DELETE FROM plan_objectives WHERE plan_id = ANY ($1)',
    'DELETE FROM plan_comments WHERE plan_id = ANY ($1)',
    'DELETE FROM plan_host_versions WHERE plan_id = ANY ($1)',
    'DELETE FROM efficacy_indicators WHERE action_plan_id = ANY ($1)',
  ],
  actions: ['DELETE FROM action_attempts WHERE action_id = ANY ($1)'],
};

async function removeKind(client: Client, kind: PurgeKind): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ id: string }>(
      'DELETE FROM purge_set WHERE ctid IN (SELECT ctid FROM purge_set WHERE kind = $1 LIMIT $2) RETURNING id',
      [kind, batchSize],
    );
    if (rows.length === 0) return;
    const ids = rows.map((row) => row.id);
    await client.query('BEGIN');
    try {
      for (const statement of belongings[kind] ?? []) await client.query(statement, [ids]);
      await client.query(`DELETE FROM ${kind} WHERE id = ANY ($1)`, [ids]);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    }
  }
}
