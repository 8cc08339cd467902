import { effectOf, hostEffectOf } from '#libs/actions';
import type { ComputeSnapshot } from '#libs/cluster-model';
import type { CurvePoint } from '#libs/domain';
import {
  durationKind,
  estimatePlan,
  fitKinds,
  nothingStarted,
  shapeOf,
  type TimedAction,
  type TimedSample,
} from '#libs/durations';
import { networksOf, type PlanLimits, type PlannedAction } from '#libs/plugin-kit';

/** Facts that determine the estimated duration of a plan. */
export interface DurationFacts {
  snapshot: Pick<ComputeSnapshot, 'instanceInfo' | 'instances'>;
  limits: PlanLimits;
  /** Finished actions of this cloud, the oldest first. */
  finished: readonly TimedSample[];
  /** Concurrent actions of a plan. */
  maxActionsPerPlan: number;
}

/**
 * Estimates planned actions with the estimator of stored plans, so that the curve and the summary of a plan match.
 * @returns seconds, 10th to 90th percentile, in tenths
 */
export function createPlanTimer({ snapshot, limits, finished, maxActionsPerPlan }: DurationFacts) {
  const memory = new Map(snapshot.instanceInfo.map(({ uuid }, row) => [uuid, snapshot.instances.memory[row] ?? null]));
  const parallel = {
    workers: maxActionsPerPlan,
    source: limits.parallelPerSourceHost,
    destination: limits.parallelPerDestinationHost,
    network: limits.parallelPerNetwork ?? Number.POSITIVE_INFINITY,
  };

  return (planned: readonly PlannedAction[]): NonNullable<CurvePoint['duration']> => {
    const actions = planned.map((action) => timedAction(action, memory));
    const kinds = [...new Set(actions.map(({ actionType, migrationType }) => durationKind(actionType, migrationType)))];
    const shape = shapeOf(actions, (hosts) => networksOf(hosts, limits.networks ?? []));
    const { seconds } = estimatePlan(shape, fitKinds(kinds, finished), { limits: parallel, progress: nothingStarted });
    return { low: tenths(seconds.low), high: tenths(seconds.high) };
  };
}

function timedAction(action: PlannedAction, memory: ReadonlyMap<string, number | null>): TimedAction {
  const { actionType, inputParameters } = effectOf(action);
  const effect = hostEffectOf(action);
  const move = effect?.kind === 'move' ? effect : null;
  const { migration_type: way, duration } = inputParameters;
  return {
    uuid: action.uuid,
    actionType,
    migrationType: typeof way === 'string' ? way : null,
    size: move === null ? null : (memory.get(move.instance) ?? null),
    duration: actionType === 'sleep' && typeof duration === 'number' ? duration : null,
    sourceHost: move?.from ?? null,
    destinationHost: move?.to ?? null,
    parents: action.parents,
  };
}

function tenths(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
