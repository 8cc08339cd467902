import { randomUUID } from 'node:crypto';
import { type ActionPlan, createRandom, silentLogger } from '#libs/domain';
import type { ServiceEvent, ServiceInstance, Store } from '#libs/store';
import { insertAction, insertPlanWorld, useStore } from '#tests';
import { createMachineWatch } from '../../supervisor/machine-watch.ts';
import { createSupervisor } from '../../supervisor/observe.ts';
import type { RacePoint } from '../job-runner.ts';
import { coordinatorLease, createRecoveryEngine, type RecoveryEngine } from '../recovery-engine.ts';
import { recoveryRules } from '../start-recovery.ts';

type InstanceOptions = Partial<Pick<ServiceInstance, 'serviceName' | 'version' | 'config'>> & { ttlMs?: number };

/** A database with a leader of the recovery, and one host a test whose processes are lost in some way. */
export interface RecoveryScene {
  store: Store;
  /** Of the test that runs. */
  readonly host: string;
  /** Of the lease of the present leader. */
  readonly fence: number;
  /** A new host and a new leader. Before each test. */
  begin(): Promise<void>;
  /** A new leader: the lease of the former one is over. */
  lead(): Promise<void>;
  engineWith(racePoint?: RacePoint): RecoveryEngine;
  /** A supervisor on `host` whose Checks get no response, with `nowMs` as its clock. */
  supervisor(nowMs?: () => number): ReturnType<typeof createSupervisor>;
  /** A process of the host that has started. */
  start(serviceType: string, options?: InstanceOptions): Promise<ServiceInstance>;
  /** A plan with one running action that `instance` holds. Its lease is over by default. */
  heldPlan(instance: ServiceInstance, ttlMs?: number): Promise<Pick<ActionPlan, 'uuid'>>;
  /** The same with an audit. */
  heldAudit(instance: ServiceInstance): Promise<{ uuid: string }>;
  /** Messages that were written for a plan or an audit. */
  messagesFor(uuid: string): Promise<number>;
  /** Newest first. */
  eventsOfHost(): Promise<ServiceEvent[]>;
  /**
   * Delivers all events of the host twice, in an order of chance, and lets the jobs run in between. With the seed
   * `dying` once, but each step of that is started by leaders that end at a place of chance, until one comes through.
   */
  deliver(seed?: number, engine?: RecoveryEngine): Promise<void>;
  /** Does something as a leader, with the seed `dying` as several. */
  act(seed: number, work: (leader: RecoveryEngine) => Promise<void>): Promise<void>;
  /** Outcomes of the decisions by a rule for the host, newest first. */
  outcomes(rule: string): Promise<string[]>;
}

/** Seed with which leaders end all the time. */
export const dying = 3;
/** Number of crashed leaders before one completes. */
const mostDeaths = 4;

/** The scene on its own database, until the scope of the test ends. */
export async function useRecoveryScene(): Promise<RecoveryScene> {
  const { store, sql } = await useStore();
  const placeOfDeath = createRandom(dying);
  let host = '';
  let fence = 0;

  async function lead(): Promise<void> {
    await store.db.leases.release(coordinatorLease, fence);
    const lease = await store.db.leases.acquire(coordinatorLease, randomUUID(), 600_000);
    fence = lease?.fence ?? 0;
  }

  const engineWith = (racePoint?: RacePoint) =>
    createRecoveryEngine({ store, rules: recoveryRules, newUuid: randomUUID, logger: silentLogger, racePoint });

  async function underDyingLeaders(work: (leader: RecoveryEngine) => Promise<void>): Promise<void> {
    for (let deaths = 0; ; deaths += 1) {
      let left = deaths === mostDeaths ? Number.POSITIVE_INFINITY : 1 + Math.floor(placeOfDeath() * 12);
      // A dead process does nothing more, even if the pass has further steps.
      const leader = engineWith(() => {
        left -= 1;
        if (left <= 0) throw new TypeError('killed');
      });
      await work(leader).catch(onlyKilled);
      if (left > 0) return;
      await lead();
    }
  }

  async function act(seed: number, work: (leader: RecoveryEngine) => Promise<void>, engine = engineWith()) {
    await (seed === dying ? underDyingLeaders(work) : work(engine));
  }

  async function eventsOfHost(): Promise<ServiceEvent[]> {
    return (await store.db.registry.listEvents({ limit: 500 })).filter((event) => event.host === host);
  }

  return {
    store,
    get host() {
      return host;
    },
    get fence() {
      return fence;
    },
    async begin() {
      host = `host-${randomUUID().slice(0, 8)}`;
      await lead();
      // No relay sends here: a waiting message would suggest that the bus accepts none.
      // Processes of former tests must not be late together with those of the next.
      await sql.query(`UPDATE service_instances SET ended_at = now(), state = 'LOST' WHERE ended_at IS NULL`);
      await sql.query(`UPDATE outbox SET published_at = now() - interval '1 hour' WHERE published_at IS NULL`);
    },
    lead,
    engineWith,
    ...createHostProcesses(store, () => host),
    async messagesFor(uuid) {
      const text = `%${uuid}%`;
      const { rows } = await sql.query('SELECT count(*)::int AS count FROM outbox WHERE body::text LIKE $1', [text]);
      return rows[0]?.count ?? 0;
    },
    eventsOfHost,
    async deliver(seed = 1, engine = engineWith()) {
      const random = createRandom(seed);
      const events = await eventsOfHost();
      const order = [...events, ...(seed === dying ? [] : events)]
        .map((event) => ({ event, at: random() }))
        .sort((a, b) => a.at - b.at);
      for (const { event } of order) {
        await act(seed, (leader) => leader.handle(event, fence), engine);
        if (random() < 0.3) await act(seed, (leader) => leader.run(fence), engine);
      }
      await act(seed, (leader) => leader.run(fence), engine);
    },
    act,
    async outcomes(rule) {
      const decisions = await store.db.recovery.decisions({ limit: 500, rule });
      return decisions.filter(({ inputs }) => inputs.host === host || rule === 'R5').map(({ outcome }) => outcome);
    },
  };
}

/** The processes of the present host, and the work that they hold. */
function createHostProcesses(
  store: Store,
  host: () => string,
): Pick<RecoveryScene, 'supervisor' | 'start' | 'heldPlan' | 'heldAudit'> {
  return {
    supervisor(nowMs = () => performance.now()) {
      const instanceId = randomUUID();
      const common = { store, instanceId, logger: silentLogger, nowMs };
      const machine = createMachineWatch({
        ...common,
        host: host(),
        readPressure: async () => ({ cpu: { some_avg10: 98 } }),
        onChange: () => undefined,
      });
      return createSupervisor({ ...common, bus: noBus, machine });
    },
    async start(serviceType, options = {}) {
      const { instanceId } = await store.db.registry.enlist({
        instanceId: randomUUID(),
        serviceType,
        serviceName: options.serviceName ?? serviceType,
        host: host(),
        pid: 1,
        version: options.version ?? '1.0.0',
        config: options.config ?? {},
        configHash: null,
        ttlMs: options.ttlMs ?? 600_000,
      });
      return store.db.registry.transition(instanceId, 'started');
    },
    async heldPlan(instance, ttlMs = -1) {
      const { plan } = await insertPlanWorld(store.db, {
        actions: 2,
        plan: () => ({ state: 'PENDING', launchSeq: 1 }),
      });
      await store.db.actionPlans.claim(plan.uuid, { instance: instance.instanceId, host: host(), ttlMs });
      await insertAction(store.db, plan, () => ({ state: 'ONGOING' }));
      return plan;
    },
    async heldAudit(instance) {
      const { audit, strategy } = await insertPlanWorld(store.db);
      const pending = await store.db.audits.insert({
        uuid: randomUUID(),
        name: randomUUID(),
        auditType: 'ONESHOT',
        goalId: audit.goalId,
        strategyId: strategy.id,
      });
      await store.db.audits.claim(pending.uuid, { instance: instance.instanceId, host: host(), ttlMs: -1 });
      return pending;
    },
  };
}

function onlyKilled(error: unknown): void {
  if (!(error instanceof TypeError && error.message === 'killed')) throw error;
}

const noBus = { request: () => Promise.reject(new Error('no answer')) };
