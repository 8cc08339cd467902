import { randomUUID } from 'node:crypto';
import { actionCatalogue, createActionRegistry } from '#libs/actions';
import { openGate } from '#libs/dependencies';
import { silentLogger } from '#libs/domain';
import { message, planLaunch } from '#libs/messaging';
import { createMessageBus } from '#libs/messaging/connect';
import { createMetrics, newUuid, steadyClock, systemClock } from '#libs/service-kit';
import { type ActionPlanView, createOutboxRelay, createStore, type Store } from '#libs/store';
import {
  createFakeCloud,
  createTestDatabase,
  insertActionPlan,
  insertAudit,
  insertGoal,
  insertStrategy,
  runSql,
} from '#tests';
import { createPlanLaunchHandler } from '../services/applier/handlers/plan-launch.ts';
import { createApplierMetrics } from '../services/applier/metrics.ts';
import { createOccupancy } from '../services/applier/plan-runner/limits/occupancy.ts';
import { createPlanRunner } from '../services/applier/plan-runner/plan-runner.ts';
import { noRace } from '../services/applier/plan-runner/runner-deps.ts';
import { runnerDefaults } from '../services/applier/plan-runner/runner-options.ts';
import { benchArguments } from './arguments.ts';
import { type BenchResult, finishBench, median, rounded } from './report.ts';
import { withTestServers } from './test-servers.ts';

/** Applier under test: its store and its observations. */
interface Applier {
  /** Of its database. */
  url: string;
  store: Store;
  /** Seconds from the start of each action to its end, since the last call. */
  takeDurations(): number[];
  /** Resolves when this number of plans has ended since the last call. */
  ended(plans: number): Promise<void>;
  stop(): Promise<void>;
}

const insertBatch = 1000;

/** An applier as its process assembles it, with the relay that delivers the launch messages. */
async function startApplier(url: string, workers: number, parallel: number): Promise<Applier> {
  const store = await createStore({ url, logger: silentLogger, poolSize: 20 });
  const bus = await createMessageBus({ databaseUrl: url, logger: silentLogger, appId: randomUUID() });
  const relay = createOutboxRelay({ outboxQueue: store.outboxQueue, bus, logger: silentLogger, clock: systemClock });
  const durations: number[] = [];
  let ended = 0;
  let wake: () => void = () => undefined;
  const metrics = createApplierMetrics(createMetrics('bench'));
  const runner = createPlanRunner(
    {
      store,
      cloud: createFakeCloud({ hosts: [] }),
      actions: createActionRegistry(actionCatalogue),
      gate: openGate,
      occupancy: createOccupancy(() => runnerDefaults.limits),
      steadyClock,
      newUuid,
      logger: silentLogger,
      metrics: {
        ...metrics,
        actionEnded: (_type, _result, seconds) => durations.push(seconds),
        planEnded() {
          ended += 1;
          wake();
        },
      },
      racePoint: noRace,
      requestGain: async () => ({ gain: null, repeated: null, gainUnknownBecause: 'no decision engine' }),
      onProgress: () => undefined,
    },
    { ...runnerDefaults, instance: randomUUID(), host: 'bench', workers, maxActionsPerPlan: parallel },
  );
  const handler = createPlanLaunchHandler({ store, runner, logger: silentLogger });
  const consumer = await bus.consume(planLaunch.type, handler, { prefetch: workers });
  relay.start();
  return {
    url,
    store,
    takeDurations: () => durations.splice(0),
    async ended(plans) {
      while (ended < plans) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      ended = 0;
    },
    async stop() {
      await runner.drain();
      await consumer.stop();
      await relay.stop();
      await bus.close();
      await store.close();
    },
  };
}

async function insertPlans(store: Store, plans: number, actions: number): Promise<ActionPlanView[]> {
  const goal = await insertGoal(store.db);
  const strategy = await insertStrategy(store.db, goal);
  const audit = await insertAudit(store.db, strategy);
  const inserted: ActionPlanView[] = [];
  for (let place = 0; place < plans; place += 1) {
    const plan = await insertActionPlan(store.db, audit, strategy);
    for (let from = 0; from < actions; from += insertBatch) {
      const count = Math.min(insertBatch, actions - from);
      await store.db.actions.insertMany(
        Array.from({ length: count }, () => ({
          uuid: randomUUID(),
          actionPlanId: plan.id,
          actionType: 'nop',
          inputParameters: { message: 'bench' },
        })),
      );
    }
    inserted.push(plan);
  }
  return inserted;
}

/** Starts a plan as the API does. */
function start(store: Store, plan: ActionPlanView): Promise<void> {
  return store.transaction(async (unit) => {
    const { launchSeq } = await unit.actionPlans.transition(plan.uuid, 'start');
    const body = { plan_uuid: plan.uuid, launch_seq: launchSeq, requested_by: 'bench' };
    await unit.outbox.add({ eventId: randomUUID(), ...message(planLaunch, body) });
  });
}

async function measure(applier: Applier, name: string, plans: number, actions: number): Promise<BenchResult> {
  const { store } = applier;
  const inserted = await insertPlans(store, plans, actions);
  // Autovacuum does this within a minute. Until then, statements keep the query plans that they got for empty tables.
  await runSql(applier.url, 'ANALYZE');
  applier.takeDurations();
  const before = process.memoryUsage().rss;
  const begin = performance.now();
  const startedAt = Date.now();
  await Promise.all(inserted.map((plan) => start(store, plan)));
  await applier.ended(plans);
  const seconds = (performance.now() - begin) / 1000;
  const grown = (process.memoryUsage().rss - before) / 2 ** 20;
  let first = Number.POSITIVE_INFINITY;
  for (const plan of inserted) {
    const rows = await store.db.actions.listByPlan(plan.uuid);
    const done = rows.filter(({ state }) => state === 'SUCCEEDED').length;
    if (done !== actions) throw new Error(`${done} of ${actions} actions of ${plan.uuid} succeeded`);
    for (const row of rows) first = Math.min(first, row.startedAt?.getTime() ?? first);
  }
  const durations = applier.takeDurations().sort((one, other) => one - other);
  return {
    name,
    plans,
    actions: plans * actions,
    seconds: rounded(seconds, 2),
    actions_per_s: rounded((plans * actions) / seconds),
    latency_median_ms: rounded(median(durations) * 1000),
    latency_p99_ms: rounded((durations[Math.floor(durations.length * 0.99)] ?? 0) * 1000),
    first_action_ms: first - startedAt,
    grown_mib: rounded(grown),
  };
}

/**
 * Median of ten starts of small plans on an idle applier, from the call of the API to the start of the first action.
 */
async function startLatency(applier: Applier): Promise<BenchResult> {
  const latencies: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    latencies.push(Number((await measure(applier, 'start', 1, 1)).first_action_ms));
  }
  latencies.sort((one, other) => one - other);
  return {
    name: 'start of a plan on an idle applier',
    first_action_ms: latencies[5] ?? 0,
    slowest_first_action_ms: latencies[9] ?? 0,
  };
}

/** Cost of one durable change, sequentially: the yardstick. */
async function commitRate(store: Store): Promise<BenchResult> {
  const [plan] = await insertPlans(store, 1, 1);
  if (!plan) throw new Error('no plan');
  const rounds = 200;
  const begin = performance.now();
  for (let round = 0; round < rounds; round += 1) {
    await store.db.actionPlans.update(plan.uuid, { statusMessage: `round ${round}` });
  }
  const seconds = (performance.now() - begin) / 1000;
  return {
    name: 'baseline: single updates, one after the other',
    actions: rounds,
    actions_per_s: rounded(rounds / seconds),
  };
}

/** Measures plans of actions that do nothing, with every transition and journal entry durable. */
export async function applierBench(args: string[]): Promise<void> {
  const { json, numbers } = benchArguments(args, {
    actions: 10_000,
    plans: 100,
    workers: 4,
    parallel: runnerDefaults.maxActionsPerPlan,
  });
  await withTestServers(['postgres'], async () => {
    const database = await createTestDatabase();
    const applier = await startApplier(database.url, numbers.workers, numbers.parallel);
    try {
      await measure(applier, 'warm-up', 2, 100);
      const baseline = await commitRate(applier.store);
      const latency = await startLatency(applier);
      const large = await measure(applier, 'one large plan', 1, numbers.actions);
      const many = await measure(applier, 'many plans', numbers.plans, Math.ceil(numbers.actions / numbers.plans));
      const rate = (result: BenchResult) => Number(result.actions_per_s);
      finishBench(
        {
          bench: 'applier',
          results: [baseline, latency, large, many],
          goals: [
            { name: 'one large plan', value: rate(large), limit: 500, unit: 'actions/s', atLeast: true },
            { name: 'many plans', value: rate(many), limit: 500, unit: 'actions/s', atLeast: true },
            { name: 'start to first action', value: Number(latency.first_action_ms), limit: 50, unit: 'ms' },
          ],
        },
        { json },
      );
    } finally {
      await applier.stop();
      await database.drop();
    }
  });
}
