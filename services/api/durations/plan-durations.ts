import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { actionPlanStateTable, isTerminal } from '#libs/domain';
import {
  estimatePlan,
  fitKinds,
  medianSeconds,
  nothingStarted,
  type ParallelLimits,
  type PlanEstimate,
  type PlanProgress,
  type PlanShape,
  samplesPerKind,
  shapeOf,
} from '#libs/durations';
import { type MigrationNetwork, networksOf } from '#libs/plugin-kit';
import { createRecentMap, type RecentMap } from '#libs/service-kit';
import type { ActionPlanView, PlanEdge, Store } from '#libs/store';

/** Maximum number of cached plan graphs, about 100 kB for one of 2,000 actions, and of estimates of whole plans. */
const keptPlans = 500;

/** Parallel work of appliers: the configured limits, and the networks that hosts share. */
export interface Parallelism {
  limits: ParallelLimits;
  networks: readonly MigrationNetwork[];
}

/** The defaults of the configuration. */
const defaultParallelism: Parallelism = {
  limits: { workers: 64, source: 2, destination: 2, network: 8 },
  networks: [],
};

/** The expected duration of a plan, of the rest of it, and of its actions. */
export interface PlanDuration extends PlanEstimate {
  /** Estimated remaining seconds. Before the first action it equals `seconds`. 0 once the plan has ended. */
  remaining: PlanEstimate['seconds'];
  /** Median seconds of each action, by uuid. Computed at each call: lists of plans do not need them. */
  medians(): ReadonlyMap<string, number>;
}

/** Estimates durations of plans. All routes of the API use it. */
export interface PlanDurations {
  /** By the id of the plan. */
  estimate(plans: readonly Pick<ActionPlanView, 'id' | 'state' | 'maxWorkers'>[]): Promise<Map<number, PlanDuration>>;
}

/**
 * Estimates from the newest finished actions of the same kinds in the store. Graphs of plans never change, so they are
 * cached until the networks of the hosts change. The estimate of a whole plan is cached until further actions finish
 * or the limits change. Requests run between the estimates of two plans.
 * @param parallelism current limits of the appliers. Default: those of the configuration.
 */
export function createPlanDurations(
  { planWork, actionDurations }: Pick<Store, 'planWork' | 'actionDurations'>,
  { parallelism = () => defaultParallelism }: { parallelism?(): Parallelism } = {},
): PlanDurations {
  const shapes: RecentMap<number, { shape: PlanShape; types: string[] }> = createRecentMap(keptPlans);
  const wholes = createRecentMap<number, { basis: string; estimate: PlanEstimate }>(keptPlans);
  let knownNetworks = '';

  async function loadShapes(planIds: readonly number[], networks: Parallelism['networks']) {
    const shown = JSON.stringify(networks);
    if (shown !== knownNetworks) for (const cache of [shapes, wholes]) cache.clear();
    knownNetworks = shown;
    const known = new Map(planIds.map((id) => [id, shapes.get(id)]));
    const missing = planIds.filter((id) => known.get(id) === undefined);
    const edges = missing.length === 0 ? [] : await planWork.edges(missing);
    for (const id of missing) {
      const own = edges.filter(({ actionPlanId }) => actionPlanId === id);
      const entry = {
        shape: shapeOf(own, (hosts) => networksOf(hosts, networks)),
        types: [...new Set(own.map(({ actionType }) => actionType))],
      };
      // A plan has no actions while it is being stored.
      if (own.length > 0) shapes.set(id, entry);
      known.set(id, entry);
    }
    return (id: number) => known.get(id) ?? { shape: shapeOf([]), types: [] };
  }

  /** @param basis hash of the finished actions and limits that the estimate depends on. */
  async function wholeOf(id: number, basis: string, estimate: () => PlanEstimate): Promise<PlanEstimate> {
    const known = wholes.get(id);
    if (known?.basis === basis) return known.estimate;
    await setImmediate();
    const whole = estimate();
    wholes.set(id, { basis, estimate: whole });
    return whole;
  }

  return {
    async estimate(plans) {
      const ids = plans.map(({ id }) => id);
      const open = plans.filter(({ state }) => !isTerminal(actionPlanStateTable, state)).map(({ id }) => id);
      const { limits, networks } = parallelism();
      const shapeFor = await loadShapes(ids, networks);
      const types = [...new Set(ids.flatMap((id) => shapeFor(id).types))];
      const [finished, started] = await Promise.all([
        types.length === 0 ? [] : actionDurations.finished(types, samplesPerKind),
        open.length === 0 ? [] : actionDurations.started(open),
      ]);
      const kinds = [...new Set(ids.flatMap((id) => shapeFor(id).shape.kinds))];
      const models = fitKinds(kinds, finished);
      const estimates = new Map<number, PlanDuration>();
      for (const { id, maxWorkers } of plans) {
        const { shape, types: own } = shapeFor(id);
        const workers = Math.min(maxWorkers ?? Number.POSITIVE_INFINITY, limits.workers);
        const estimate = (progress: PlanProgress) =>
          estimatePlan(shape, models, { limits: { ...limits, workers }, progress });
        const samples = finished.filter(({ actionType }) => own.includes(actionType));
        const basis = hash('sha256', JSON.stringify([shape.uuids.length, limits, workers, samples]));
        const whole = await wholeOf(id, basis, () => estimate(nothingStarted));
        const ofPlan = started.filter(({ actionPlanId }) => actionPlanId === id);
        const rest = ofPlan.length === 0 ? whole : estimate(progressOf(ofPlan));
        // A superseded plan keeps its actions PENDING.
        estimates.set(id, {
          ...whole,
          remaining: open.includes(id) ? rest.seconds : { low: 0, high: 0 },
          medians: () => mediansOf(shape, models),
        });
      }
      return estimates;
    },
  };
}

function mediansOf(shape: PlanShape, models: Parameters<typeof medianSeconds>[1]): ReadonlyMap<string, number> {
  const seconds = medianSeconds(shape, models);
  return new Map(shape.uuids.map((uuid, at) => [uuid, seconds[at] ?? 0]));
}

function progressOf(
  started: readonly Pick<PlanEdge & { runningSeconds: number | null }, 'uuid' | 'runningSeconds'>[],
): PlanProgress {
  const ended = new Set(started.flatMap(({ uuid, runningSeconds }) => (runningSeconds === null ? [uuid] : [])));
  const running = started.flatMap(({ uuid, runningSeconds }) =>
    runningSeconds === null ? [] : [[uuid, runningSeconds] as const],
  );
  return { ended, runningSeconds: new Map(running) };
}

/** The duration of a plan as the API shows it, in tenths of a second. */
export function durationBody({ seconds, remaining, source }: PlanDuration): object {
  return {
    seconds: rounded(seconds),
    remaining_seconds: rounded(remaining),
    measured_actions: source.measured,
    guessed_types: source.guessed,
  };
}

function rounded({ low, high }: PlanEstimate['seconds']): PlanEstimate['seconds'] {
  return { low: tenths(low), high: tenths(high) };
}

/** Seconds rounded to tenths. */
export function tenths(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
