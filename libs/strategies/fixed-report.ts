import type { ComputeSnapshot } from '#libs/cluster-model';
import type { StrategyReport } from '#libs/plugin-kit';

/** The report of a strategy that looks at nothing: everything may be in its plan, and nothing stands in its way. */
export function fixedReport(
  { hostInfo, instanceInfo }: Pick<ComputeSnapshot, 'hostInfo' | 'instanceInfo'>,
  { emptyBecause = null, notes = [] }: Partial<Pick<StrategyReport, 'emptyBecause' | 'notes'>> = {},
): StrategyReport {
  const [hosts, instances] = [hostInfo.length, instanceInfo.length];
  return {
    hosts: { considered: hosts, eligible: hosts },
    instances: { considered: instances, eligible: instances },
    blocked: [],
    emptyBecause,
    notes,
  };
}
