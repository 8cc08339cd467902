import { randomUUID } from 'node:crypto';
import type { ComputedPlan } from '../compute-plan.ts';

const counts = { considered: 1, eligible: 1 };

/** A plan with one action `nop`, as a computation yields it. */
export function computedWith(strategyName: string): ComputedPlan {
  const noFinding = { blocked: [], metrics: [], notes: [], timingsMs: {} };
  const model = { modelAgeSeconds: 1, modelComplete: true, emptyBecause: null };
  const reason = { summary: 'for a test' } as ComputedPlan['actions'][number]['reason'];
  return {
    strategyName,
    byOrder: false,
    neverStale: false,
    urgentRules: [],
    parameters: {},
    alertScope: null,
    snapshot: {} as ComputedPlan['snapshot'],
    actions: [{ uuid: randomUUID(), actionType: 'nop', inputParameters: {}, parents: [], reason }],
    indicators: [{ name: 'indicator', description: 'text', unit: null, value: 1 }],
    globalEfficacy: [],
    variants: [],
    picture: { hosts: [], ageMs: () => 0 },
    hosts: {
      modelTakenAt: '2026-01-01T00:00:00.000Z',
      hosts: [],
      unplaced: { instances: 0, vcpus: 0, dedicatedCpus: 0, memory: 0, disk: 0 },
      moved: {},
    },
    report: { strategy: strategyName, hosts: counts, instances: counts, ...noFinding, ...model },
  };
}
