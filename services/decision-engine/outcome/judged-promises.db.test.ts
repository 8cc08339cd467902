// @needs build
import { expect, test } from 'vitest';
import type { JudgedPromise } from '#libs/domain';
import type { ActionPlanView } from '#libs/store';
import { insertAction } from '#tests';
import { useTestMeasurements } from '../testing/test-measurements.ts';

const limitMs = 60_000;
const { store, newPlan, migrate, passed, measure, evenOut, runPlan } = await useTestMeasurements({ limitMs });

/** Stores promises with the plan: a CPU load of 60 %, memory as after `evenOut`, and a duration of one minute. */
async function promise(plan: ActionPlanView): Promise<void> {
  const change = (quantity: 'cpu_load' | 'memory', after: number) => ({
    quantity,
    deviation: { before: 20, after: 0 },
    highestBefore: 95,
    fullest: { hostname: 'busy', before: 95, after },
  });
  await store.db.planHosts.insert(plan.id, {
    modelTakenAt: '2026-11-22T00:00:00Z',
    hosts: [],
    moved: {},
    unplaced: { instances: 0, vcpus: 0, dedicatedCpus: 0, memory: 0, disk: 0 },
    quantities: [change('cpu_load', 60), change('memory', 12.5)],
    duration: { low: 50, high: 70 },
  });
}

async function promisesOf(plan: ActionPlanView) {
  const { outcome } = await store.db.actionPlans.get(plan.uuid);
  const promises = (outcome?.promises ?? []) as unknown as JudgedPromise[];
  return promises.map(({ quantity, verdict, achieved }) => [quantity, verdict, achieved]);
}

test('the promises of a plan are compared with the hosts and the time after it', async () => {
  const plan = await newPlan();
  await promise(plan);
  await runPlan(plan);
  evenOut();
  await passed(721);

  await measure('after');

  expect(await promisesOf(plan)).toEqual([
    // Two instances use 40 % of their 4 CPUs, on a host with 16 CPUs.
    ['cpu_load_highest', 'BELOW', 20],
    ['cpu_load_deviation', 'WITHIN', 0],
    ['memory_highest', 'WITHIN', 12.5],
    ['memory_deviation', 'WITHIN', 0],
    ['duration', 'WITHIN', 60],
  ]);
});

test('promises of a plan that overlaps with another are not attributable, its duration is known', async () => {
  const plan = await newPlan();
  await promise(plan);
  const other = await newPlan();
  await runPlan(plan);
  await passed(721);
  await migrate(other, 'busy', 801, 761);

  await measure('after');

  const verdicts = (await promisesOf(plan)).map(([, verdict]) => verdict);
  expect(verdicts).toEqual([...Array(4).fill('NOT_ATTRIBUTABLE'), 'WITHIN']);
});

test('a plan that started no action has no judged promises', async () => {
  const plan = await newPlan();
  await promise(plan);
  await insertAction(store.db, plan, () => ({ state: 'CANCELLED' }));
  await store.db.planMeasurements.request(plan.id, 'after', { limitMs });

  await measure('after');

  expect((await promisesOf(plan)).map(([, verdict]) => verdict)).toEqual(Array(5).fill('NOT_MEASURED'));
});
