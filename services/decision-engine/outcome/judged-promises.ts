import {
  type JudgedPromise,
  judgePromises,
  type OutcomeMeasurement,
  type PromisedQuantity,
  promisesOf,
} from '#libs/domain';
import type { ActionView, Store } from '#libs/store';

/** Results of a plan: the verdict on its measurements, the values of its hosts, and its actions. */
interface PlanResults {
  measurement: OutcomeMeasurement;
  values: ReadonlyMap<PromisedQuantity, number>;
  actions: readonly ActionView[];
}

/** Compares the promises that were stored with a plan with its results. Empty for plans without stored hosts. */
export async function judgedPromises(
  { db }: Pick<Store, 'db'>,
  planId: number,
  { measurement, values, actions }: PlanResults,
): Promise<JudgedPromise[]> {
  const hosts = await db.planHosts.find(planId);
  if (hosts === null) return [];
  const notCarriedOut = actions.filter(({ state }) => state !== 'SUCCEEDED').length;
  return judgePromises(promisesOf(hosts), { measurement, values, seconds: secondsOf(actions), notCarriedOut });
}

/** Time from the first start to the last end. */
function secondsOf(actions: readonly ActionView[]): number {
  const times = (moment: 'startedAt' | 'endedAt') =>
    actions.flatMap((action) => (action[moment] === null ? [] : action[moment].getTime()));
  const start = times('startedAt').reduce((first, at) => Math.min(first, at), Number.POSITIVE_INFINITY);
  const end = times('endedAt').reduce((last, at) => Math.max(last, at), Number.NEGATIVE_INFINITY);
  return Math.max(0, (end - start) / 1000);
}
