import { type RandomSource, silentLogger } from '#libs/domain';
import type { Cloud } from '#libs/openstack';
import type { Store } from '#libs/store';
import type { FakeCloud } from '#tests';
import { startRecoveryPoller } from '../../../services/applier/recovery/recovery-poller.ts';
import type { ApplierBench } from '../../../services/applier/testing/applier-bench.ts';
import { createKillable, never } from '../../../services/applier/testing/killable.ts';
import type { PositionLog } from './position-log.ts';

/** Appliers that are killed between two steps of an action and replaced. */
export interface MortalAppliers {
  kills: () => number;
  /** Lets the leases of killed appliers expire. */
  expireLeases(): Promise<void>;
  stop(): Promise<void>;
}

interface World {
  bench: ApplierBench;
  cloud: FakeCloud;
  log: PositionLog;
  random: RandomSource;
  /** The plan that moves a server, and its hosts. */
  planOf(serverUuid: string): { plan: string; hosts: readonly string[] };
  store: Store;
}

/** Calls of actions that change the cloud. */
const changingCalls = ['liveMigrate', 'coldMigrate', 'confirmResize', 'revertResize', 'abortLiveMigration'];
/** Steps that an applier takes before it is killed: at least this many, and less than twice as many. */
const stepsOfLife = 15;

/** Starts `count` appliers, each of which polls for plans. */
export function startMortalAppliers(world: World, count: number): MortalAppliers {
  const { bench, log, random } = world;
  const dead = new Set<string>();
  const living = new Map<number, { stop(): Promise<void> }>();
  const replacements = new Set<Promise<void>>();
  let isStopping = false;
  let kills = 0;

  function startOne(place: number, life: number): void {
    const name = `applier-${place}.${life}`;
    const calls = new Set<Promise<unknown>>();
    const process = createKillable(world.store, recordRequests(world, name, calls));
    let stepsLeft = stepsOfLife + Math.floor(random() * stepsOfLife);
    const racePoint = async () => {
      stepsLeft -= 1;
      if (process.isKilled) await never();
      if (stepsLeft > 0 || isStopping) return;
      process.kill();
      kills += 1;
      const replacement = bury().finally(() => replacements.delete(replacement));
      replacements.add(replacement);
      await never();
    };
    async function bury(): Promise<void> {
      void poller.stop();
      await Promise.allSettled(calls);
      await log.note({ kind: 'killed', applier: name });
      dead.add(name);
      startOne(place, life + 1);
    }
    const runner = bench.runner({
      cloud: process.cloud,
      store: process.store,
      racePoint,
      options: { host: name, workers: 2, watchIntervalMs: 50 },
    });
    const poller = startRecoveryPoller({
      store: process.store,
      runner,
      everyMs: () => 30,
      graceMs: 0,
      logger: silentLogger,
    });
    living.set(place, {
      async stop() {
        await poller.stop();
        await runner.drain();
      },
    });
  }

  for (let place = 1; place <= count; place += 1) startOne(place, 1);
  return {
    kills: () => kills,
    async expireLeases() {
      for (const state of ['ONGOING', 'CANCELLING'] as const) {
        const plans = await bench.store.db.actionPlans.list({ filters: [{ field: 'state', value: state }] });
        for (const plan of plans.filter(({ hostname }) => dead.has(hostname ?? ''))) await bench.expireLease(plan);
      }
    },
    async stop() {
      isStopping = true;
      await Promise.all(replacements);
      await Promise.all([...living.values()].map(({ stop }) => stop()));
    },
  };
}

/** The cloud of one applier. `calls` are those in progress. */
function recordRequests({ cloud, log, planOf }: World, applier: string, calls: Set<Promise<unknown>>): Cloud {
  const compute = new Proxy(cloud.compute, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function' || !changingCalls.includes(String(name))) return method;
      return (serverUuid: string, ...rest: unknown[]) => {
        const send = async () => {
          await log.note({ kind: 'sent', applier, ...planOf(serverUuid) });
          return method.call(target, serverUuid, ...rest);
        };
        const call = send().finally(() => calls.delete(call));
        calls.add(call);
        return call;
      };
    },
  });
  return { ...cloud, compute };
}
