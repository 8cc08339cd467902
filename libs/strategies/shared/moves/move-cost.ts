import type { WhatIf } from '#libs/cluster-model';

/** Set-up, hand-over and pause of a live migration, as the MiB that could be copied in the same time. */
const migrationOverheadMib = 2048;

/**
 * Part of its memory that an instance with all CPUs busy makes a migration copy again. Between the rates of quiet and
 * of writing guests.
 */
const recopiedWhenBusy = 0.5;

/**
 * Cost of moving an instance, in MiB to copy: its memory, the pages that it dirties during the copy, and the overhead
 * of
 * each migration.
 * @param cpuPercent use of its CPUs, 0 to 100; NaN counts as idle
 */
export function moveCost({ snapshot }: WhatIf, instance: number, cpuPercent: number): number {
  const memory = snapshot.instances.memory[instance] ?? 0;
  const busy = Math.min(1, Math.max(0, (cpuPercent || 0) / 100));
  return migrationOverheadMib + memory * (1 + recopiedWhenBusy * busy);
}
