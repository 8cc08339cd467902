import type { RowBound } from './judges/growth.ts';
import { soakSpeed } from './world.ts';

/** Small bounds, so that a short soak reaches them. */
const keptPlansPerAudit = 20;
const keptChanges = 20_000;

/** Pause from the end of a plan to the measurement of its outcome, in milliseconds. */
export const soakOutcomeDelayMs = 20_000;

/** Environment of all processes. Times that an hour would not show are shorter than by default. */
export const soakEnvironment: NodeJS.ProcessEnv = {
  VIGIL_APPLIER_TIME_SCALE: String(soakSpeed),
  VIGIL_APPLIER_WORKERS: '2',
  VIGIL_OUTCOME_DELAY_SECONDS: String(soakOutcomeDelayMs / 1000),
  VIGIL_MOVE_COOL_DOWN_SECONDS: '10',
  // A soak has the moves of many days.
  VIGIL_INSTANCE_MOVES_PER_DAY: '0',
  VIGIL_OPPOSITE_MOVE_REST_SECONDS: '60',
  VIGIL_HOST_MOVES_PER_HOUR: '0',
  VIGIL_CLOUD_MOVES_PER_HOUR: '0',
  VIGIL_FAILED_MOVE_BACK_OFF_SECONDS: '60',
  VIGIL_PLANS_KEEP_PER_AUDIT: String(keptPlansPerAudit),
  VIGIL_CHANGES_KEEP_ROWS: String(keptChanges),
};

/** Share above a bound that is removed only by the next run of a task. */
const slack = 1.5;

/** Bounds of the tables, for this number of continuous audits and the single ones. */
export function soakBounds(audits: number): RowBound[] {
  return [
    { table: 'change_log', rows: slack * keptChanges },
    // Started and other plans are kept apart.
    { table: 'action_plans', rows: slack * 2 * keptPlansPerAudit * audits + 200 },
    { table: 'dynamic_invalidations', rows: 5000 },
  ];
}
