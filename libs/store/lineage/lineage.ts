import type { EntityManager } from 'typeorm';
import { actionPlanStateTable, auditStateTable, moveOf } from '#libs/domain';
import type { Session } from '../session/session.ts';
import { readSeal, type Seal, seal } from './seal.ts';

/**
 * Relation of the database to the last seen database. `same`: unchanged. `sealed`: seen for the first time.
 * `failed_over`: another server leads, and has everything that this process knew of. `cut_short`: another server leads,
 * and lacks some of that. `restored`: it is a copy of an earlier state, or an operator declared it so. `unvouched`:
 * another server leads, and this process cannot determine whether it was restored.
 */
type LineageVerdict = 'same' | 'sealed' | 'failed_over' | 'cut_short' | 'restored' | 'unvouched';

/** The result of a check of the database's lineage. */
export interface LineageResult {
  verdict: LineageVerdict;
  /** Uuids of the work suspended with `cut_short` and `restored`. */
  heldPlans: string[];
  heldAudits: string[];
}

/**
 * Distinguishes a database from a restored copy of it. A row records where it was written: server, database, timeline,
 * and the transaction that wrote it. A copy made by pg_dump, by COPY or as a template differs in one of these. While
 * they differ, no plan and no audit can be claimed.
 */
export interface Lineage {
  /**
   * Checks the database and acts on the result: after a fail-over the change stream has a new epoch. After a fail-over
   * with losses, and after a restore, plans and audits that were in progress become SUSPENDED as well. `decides`: treat
   * an undecidable case as a restore. Default false.
   */
  check(options?: { decides?: boolean }): Promise<LineageResult>;
  /** As after a detected restore. */
  declareRestored(): Promise<LineageResult>;
}

/** Fencing numbers that may have been issued after the backup, or that a standby did not have before its promotion. */
const fencesSkipped = 1_000_000;

/** This process's last observation of the database. */
type Witness = Pick<Seal, 'revno' | 'timeline' | 'position' | 'writtenBy'>;

/** Detects that the database was replaced. See `Lineage`. */
export function createLineage(session: Session): Lineage {
  let witness: Witness | null = null;

  async function settle(judge: (seal: Seal) => LineageVerdict): Promise<LineageResult> {
    const result = await session.write(async (manager) => {
      await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('vigil:lineage', 0))`);
      // Another process may have handled it during the wait.
      const verdict = judge(await readSeal(manager));
      if (verdict === 'same' || verdict === 'unvouched') return { verdict, heldPlans: [], heldAudits: [] };
      const why = reasonsToHold[verdict];
      const held = why ? await holdWork(manager, why) : { heldPlans: [], heldAudits: [] };
      if (verdict !== 'sealed') {
        await startEpoch(manager, { keepsLog: verdict === 'failed_over' });
        // These numbers must not be issued again, because processes may still hold them.
        await manager.query(`SELECT setval('fence_seq', nextval('fence_seq') + ${fencesSkipped})`);
      }
      await seal(manager, verdict);
      return { verdict, ...held };
    });
    if (result.verdict !== 'unvouched') witness = await session.read(readSeal);
    return result;
  }

  return {
    async check({ decides = false } = {}) {
      const judge = (found: Seal) => judgeSeal(found, witness, decides);
      const found = await session.read(readSeal);
      if (judge(found) !== 'same') return settle(judge);
      witness = found;
      return { verdict: 'same', heldPlans: [], heldAudits: [] };
    },

    declareRestored: () => settle(() => 'restored'),
  };
}

function judgeSeal(found: Seal, witness: Witness | null, decides: boolean): LineageVerdict {
  if (!found.exists) return 'sealed';
  if (!found.isSameRow || !found.isSameSystem || !found.isSameDatabase) return 'restored';
  if (witness === null) return found.isSameTimeline ? 'same' : decides ? 'restored' : 'unvouched';
  if (isSettled(found, witness)) return 'same';
  const isOther = !found.isSameTimeline || found.timeline !== witness.timeline;
  // Another process with less knowledge may already have handled the fail-over.
  if (hasLost(found, witness)) return isOther ? 'cut_short' : 'restored';
  return found.isSameTimeline ? 'same' : 'failed_over';
}

/** Another process has handled this loss. Work that an operator has resumed since is not held again. */
function isSettled(found: Seal, witness: Witness): boolean {
  return found.isSameTimeline && found.verdict === 'cut_short' && found.writtenBy !== witness.writtenBy;
}

/**
 * The numbers of changes and the log position never decrease, unless files were restored or the new primary lacks
 * changes.
 */
function hasLost(found: Seal, witness: Witness): boolean {
  if (found.revno < witness.revno) return true;
  return found.timeline !== witness.timeline && found.inherited < witness.position;
}

const reasonsToHold: Partial<Record<LineageVerdict, string>> = {
  restored: 'the database was restored from a backup while this was',
  cut_short: 'another database server took over, without the newest changes, while this was',
};

/** It has no holder and no fencing number now, so writes of a former holder are refused. */
async function holdWork(manager: EntityManager, why: string): Promise<Pick<LineageResult, 'heldPlans' | 'heldAudits'>> {
  const plan = moveOf(actionPlanStateTable, 'hold');
  const audit = moveOf(auditStateTable, 'hold');
  const holding = 'run_instance = NULL, lease_expires_at = NULL, fence = NULL';
  const [plans] = await manager.query<[{ uuid: string }[], number]>(
    `UPDATE action_plans SET state = $1, ${holding}, hold_until = NULL,
       status_message = 'Held: ${why} ' || state || '. Check the cloud, then start or cancel it.'
     WHERE deleted = 0 AND state = ANY($2::text[]) RETURNING uuid`,
    [plan.to, plan.from],
  );
  // An EVENT audit without a trigger still waits for its webhook.
  const [audits] = await manager.query<[{ uuid: string }[], number]>(
    `UPDATE audits SET state = $1, ${holding},
       status_message = 'Held: ${why} ' || state || '. Resume it (state ONGOING) or delete it.'
     WHERE deleted = 0 AND state = ANY($2::text[]) AND (audit_type <> 'EVENT' OR state <> 'PENDING' OR EXISTS (
       SELECT 1 FROM outbox WHERE published_at IS NULL AND body ->> 'audit_uuid' = audits.uuid::text)) RETURNING uuid`,
    [audit.to, audit.from],
  );
  return { heldPlans: plans.map(({ uuid }) => uuid), heldAudits: audits.map(({ uuid }) => uuid) };
}

/**
 * No client has ever seen the new epoch, not even one that followed another restored copy: it is the time. With
 * `keepsLog` readers with a name, such as the notifier, continue where they were.
 */
async function startEpoch(manager: EntityManager, { keepsLog }: { keepsLog: boolean }): Promise<void> {
  await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('vigil:change_log', 0))`);
  const [[row]] = await manager.query<[{ epoch: number }[], number]>(
    `UPDATE change_log_head SET epoch = greatest(epoch + 1, floor(extract(epoch FROM clock_timestamp()) * 1000))
     WHERE id = 1 RETURNING epoch`,
  );
  if (keepsLog && row) {
    await manager.query('UPDATE change_log SET epoch = $1 WHERE revno IS NOT NULL', [row.epoch]);
    await manager.query('UPDATE change_log_readers SET epoch = $1', [row.epoch]);
  }
  await manager.query(`SELECT pg_notify('vigil_changes', '')`);
}
