import { type Logger, VigilError } from '#libs/domain';
import { ActionPlanOngoingError } from './errors.ts';

/**
 * Logs why an audit has no plan. Waiting for another plan is normal (`info`). Any other error than Vigil's is a
 * defect, possibly of a plugin, and is logged with its stack (`error`).
 */
export function logFailure(error: unknown, logger: Logger): void {
  if (error instanceof ActionPlanOngoingError) logger.info({ reason: error.message }, 'audit waits for an action plan');
  else if (error instanceof VigilError) logger.warn({ error }, 'cannot complete audit');
  else logger.error({ error }, 'audit failed unexpectedly');
}
