import type { CloudState, PoolReport } from '../cloud/entities.ts';
import type { Timeline } from '../timeline.ts';

/** How often a backend reports its pools, simulated seconds; Cinder's default. */
const everySeconds = 60;

/**
 * Makes the backends report their pools periodically, as cinder-volume does. Pool listings of Cinder's scheduler and
 * notifications show the changed free space only after the next report.
 */
export function startPoolReports(state: CloudState, timeline: Timeline, now: () => number): void {
  reportPools(state, now());
  timeline.after(everySeconds, () => startPoolReports(state, timeline, now));
}

/** Every backend reports its pools. */
export function reportPools(state: CloudState, atMs: number): void {
  const volumes = [...state.volumes.values()];
  for (const pool of state.pools) {
    const own = volumes.filter((volume) => volume.pool === pool.name);
    const provisionedGb = own.reduce((sum, { sizeGb }) => sum + sizeGb, 0);
    const allocatedGb = provisionedGb + (pool.allocationDriftGb ?? 0);
    pool.report = { atMs, freeGb: pool.freeGb, provisionedGb, allocatedGb, volumes: own.length } satisfies PoolReport;
  }
}
