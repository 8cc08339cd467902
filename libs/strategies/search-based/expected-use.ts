import { upHosts } from '../shared/hosts/rows.ts';
import { type KnownUse, readMeasuredUse, usualWindow } from '../shared/relief/measured-use.ts';
import { createBlockedTally } from '../shared/report/blocked-tally.ts';
import type { ConsolidationContext } from './consolidation-attempt.ts';
import { hotLimitsOf } from './hot-limits.ts';

/**
 * Expected load of hosts, with the hot limits as the target to which hosts are filled. Null where nothing is measured.
 */
export function readExpectedUse({ model, metrics, parameters }: ConsolidationContext): Promise<KnownUse | null> {
  const { cpu, memory = 100 } = hotLimitsOf(parameters);
  const request = { ...usualWindow, ...parameters, target_utilization: { vcpus: cpu, memory } };
  // The search reports gaps of the telemetry.
  return readMeasuredUse({ model, metrics, parameters: request }, upHosts(model), createBlockedTally());
}
