import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '#libs/domain';
import { type Periodic, startPeriodic } from '#libs/service-kit';
import { StoreUnavailableError } from '../errors.ts';
import type { Lineage, LineageResult } from './lineage.ts';

/** Pause between two reads. Changes of this time may be lost unnoticed in a fail-over. */
const everyMs = 2_000;
/** Longer than earlier processes need to confirm a server after a fail-over. */
const patienceMs = 15_000;
const checkAgainMs = 1_000;

interface LineageOptions {
  /** Milliseconds. */
  patience?: number;
  /** Called when this process is the first to detect that the database was replaced. */
  onReplaced?: (verdict: ReplacedVerdict) => void;
}

/** The ways in which a database is replaced. */
export const replacedVerdicts = ['failed_over', 'cut_short', 'restored'] as const;
type ReplacedVerdict = (typeof replacedVerdicts)[number];

/**
 * Checks the lineage of the database before its first use, and then regularly. After a fail-over, a newly started
 * process waits for the confirmation of older processes before it treats the database as restored.
 */
export async function keepLineage(
  lineage: Lineage,
  logger: Logger,
  { patience = patienceMs, onReplaced = () => undefined }: LineageOptions = {},
): Promise<Periodic> {
  const startedAt = performance.now();
  const report = (result: LineageResult) => {
    logVerdict(result, logger);
    const verdict = replacedVerdicts.find((one) => one === result.verdict);
    if (verdict) onReplaced(verdict);
  };
  for (;;) {
    const result = await lineage.check({ decides: performance.now() - startedAt >= patience });
    report(result);
    if (result.verdict !== 'unvouched') break;
    await sleep(checkAgainMs);
  }
  const run = async () => {
    try {
      report(await lineage.check());
    } catch (error) {
      // Other parts of the process report the outage.
      if (!(error instanceof StoreUnavailableError)) throw error;
    }
  };
  return startPeriodic({ name: 'lineage of the database', everyMs, immediately: false, logger, run });
}

/** Logs a change of the lineage, with the suspended work, if any. */
function logVerdict({ verdict, heldPlans, heldAudits }: LineageResult, logger: Logger): void {
  const fields = {
    ...(heldPlans.length > 0 ? { action_plans: heldPlans } : {}),
    ...(heldAudits.length > 0 ? { audits: heldAudits } : {}),
  };
  const isHeld = heldPlans.length + heldAudits.length > 0;
  if (verdict === 'cut_short')
    logger.warn(
      fields,
      isHeld
        ? 'another database server took over without the newest changes: open plans and audits are SUSPENDED for review'
        : 'another database server took over without the newest changes: no plan or audit was open',
    );
  if (verdict === 'restored')
    logger.warn(
      fields,
      isHeld
        ? 'the database was restored from a backup: open plans and audits are SUSPENDED for review'
        : 'the database was restored from a backup: no plan or audit was open',
    );
  if (verdict === 'failed_over')
    logger.warn({}, 'another database server took over: clients of the change stream start over');
}
