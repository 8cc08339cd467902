import type { SimulatedHost, SimulatedServer } from '../cloud/entities.ts';

/** What the fault injector may do to a migration. */
export interface MigrationFaults {
  /** Reason for which this migration fails at the stage, or null. Counts as used when it answers a reason. */
  failureAt(
    stage: 'schedule' | 'running',
    server: SimulatedServer,
    source: SimulatedHost,
    dest: SimulatedHost | null,
  ): string | null;
}
