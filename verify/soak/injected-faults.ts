import type { CodePatch } from '../stack/code-patch.ts';
import type { Role } from '../stack/members.ts';
import type { VerdictName } from './verdict.ts';

/** A fault of the product that a verdict of the soak must detect. */
export interface InjectedFault {
  fault: string;
  /** The verdict that detects it. */
  shows: VerdictName;
  roles: readonly Role[];
  patches: readonly CodePatch[];
}

/** Faults that fit into one short soak. */
export const injectedFaults: readonly InjectedFault[] = [
  {
    fault: 'plans start on hosts that another plan changes',
    shows: 'overlapping_plans',
    roles: ['api', 'decision-engine', 'applier'],
    patches: [
      {
        file: 'libs/store/admission/admit-plan.js',
        find: 'const [holder] = await planHolds.holders(plan.id, states);',
        replace: 'const [holder] = [];',
      },
    ],
  },
  {
    fault: 'audits plan while another plan runs',
    shows: 'overlapping_plans',
    roles: ['decision-engine'],
    patches: [
      {
        file: 'services/decision-engine/audit-runner/ongoing-guard.js',
        find: 'if (audit.force)',
        replace: 'if (true)',
      },
    ],
  },
  {
    fault: 'the measured spread of allocations is too high',
    shows: 'untrue_outcomes',
    roles: ['decision-engine'],
    patches: [
      {
        file: 'services/decision-engine/outcome/cluster-numbers.js',
        find: 'vcpuShareDeviation: share(',
        replace: 'vcpuShareDeviation: 0.05 + share(',
      },
    ],
  },
  {
    fault: 'a process ends although it is healthy',
    shows: 'healthy_restarts',
    roles: ['scheduler'],
    patches: [
      {
        file: 'services/scheduler/main.js',
        find: 'return runService({',
        replace: 'setTimeout(() => process.exit(10), 60_000).unref();\n    return runService({',
      },
    ],
  },
  {
    fault: 'a process keeps memory',
    shows: 'growth',
    roles: ['api'],
    patches: [
      {
        file: 'services/api/main.js',
        find: 'return runService({',
        replace:
          'const kept = [];\n    setInterval(() => kept.push(Buffer.alloc(4_000_000, 1)), 1000).unref();\n    return runService({',
      },
    ],
  },
];

/** All patches by the role of their processes. */
export function patchesByRole(faults: readonly InjectedFault[]): { [role in Role]?: readonly CodePatch[] } {
  const byRole: { [role in Role]?: CodePatch[] } = {};
  for (const { roles, patches } of faults) {
    for (const role of roles) byRole[role] = [...(byRole[role] ?? []), ...patches];
  }
  return byRole;
}
