import type { HostRoom } from './judges/cloud-truth.ts';
import { judgeDisabledHosts } from './judges/disabled-hosts.ts';
import { judgeGrowth, type RowBound } from './judges/growth.ts';
import { judgeOutcomes } from './judges/outcomes.ts';
import { judgeOverlaps } from './judges/overlaps.ts';
import { judgeRefusals } from './judges/own-refusals.ts';
import { judgeRestarts } from './judges/restarts.ts';
import { judgeStuckWork } from './judges/stuck-work.ts';
import { type Fault, type SoakRecord, stateOf } from './record.ts';

/** Names of the verdicts, each of which must be 0. */
export const verdictNames = [
  'own_refusals',
  'disabled_hosts',
  'overlapping_plans',
  'untrue_outcomes',
  'healthy_restarts',
  'stuck_work',
  'growth',
] as const;
export type VerdictName = (typeof verdictNames)[number];

/** Verdict of a soak. */
export interface SoakVerdict {
  faults: Record<VerdictName, Fault[]>;
  /** Figures that are no faults. */
  counts: Record<string, number>;
}

/** Facts that the judges need in addition to the record. */
export interface JudgeOptions {
  room: HostRoom;
  bounds: readonly RowBound[];
  /** Whether all work had time to end. */
  isSettled: boolean;
}

/** Judges a soak by the observed requests and states of the cloud, the processes and the tables. */
export function judgeSoak(record: SoakRecord, { room, bounds, isSettled }: JudgeOptions): SoakVerdict {
  const refusals = judgeRefusals(record);
  const outcomes = judgeOutcomes(record, room);
  return {
    faults: {
      own_refusals: refusals.own,
      disabled_hosts: judgeDisabledHosts(record),
      overlapping_plans: judgeOverlaps(record),
      untrue_outcomes: outcomes.untrue,
      healthy_restarts: judgeRestarts(record),
      stuck_work: judgeStuckWork(record, isSettled),
      growth: judgeGrowth(record, bounds),
    },
    counts: {
      ...countsOf(record),
      other_refusals: refusals.others,
      obstructed_actions: refusals.obstructed,
      measured: outcomes.measured,
      not_measured: outcomes.notMeasured,
      not_attributable: outcomes.notAttributable,
    },
  };
}

function countsOf({ plans, actions, audits, migrations, requests }: SoakRecord): Record<string, number> {
  const started = [...plans.values()].filter(({ states }) => states.some(({ state }) => state === 'ONGOING'));
  const inState = (state: string) => started.filter((plan) => stateOf(plan) === state).length;
  return {
    audits: audits.size,
    plans: plans.size,
    plans_started: started.length,
    plans_succeeded: inState('SUCCEEDED'),
    plans_failed: inState('FAILED'),
    plans_cancelled: inState('CANCELLED'),
    plans_superseded: [...plans.values()].filter((plan) => stateOf(plan) === 'SUPERSEDED').length,
    actions: actions.size,
    actions_failed: [...actions.values()].filter((action) => stateOf(action) === 'FAILED').length,
    migrations: migrations.filter(({ status }) => status === 'completed').length,
    requests: requests.length,
  };
}
