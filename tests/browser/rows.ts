import { randomUUID } from 'node:crypto';
import type { PlanHosts } from '#libs/domain';
import type { ActionPlanView, ActionView, AuditTemplateView, AuditView, StrategyView, UnitOfWork } from '#libs/store';
import { insertAction, insertActionPlan, insertAudit, insertGoal, insertStrategy } from '../builders.ts';

type AuditOverrides = Partial<ReturnType<NonNullable<Parameters<typeof insertAudit>[2]>>>;
type PlanOverrides = Partial<ReturnType<NonNullable<Parameters<typeof insertActionPlan>[3]>>>;
type ActionOverrides = Partial<ReturnType<NonNullable<Parameters<typeof insertAction>[2]>>>;

type Hosts = NonNullable<PlanOptions['hosts']>;

/** A plan with its audit and actions. */
export interface PlanRows {
  audit: AuditView;
  plan: ActionPlanView;
  /** Migrations. Each waits for the one before it. */
  actions: ActionView[];
}

/** Options of a plan. */
export interface PlanOptions {
  /** Default 3. */
  actions?: number;
  audit?: AuditOverrides;
  plan?: PlanOverrides;
  /** Overrides for the action at a place, from 0. */
  action?: (place: number) => ActionOverrides;
  /** Source and destination of the migrations. Default: separate hosts, since a started plan holds its hosts. */
  hosts?: readonly [source: string, destination: string];
}

/** Inserts the rows of one test, each in one line. Names are unique unless the test gives one. */
export interface Rows {
  audit(overrides?: AuditOverrides): Promise<AuditView>;
  /** RECOMMENDED, with migrations from one host to another. */
  plan(options?: PlanOptions): Promise<PlanRows>;
  template(name: string): Promise<AuditTemplateView>;
  /** A rule that keeps all instances off one host. */
  rule(name: string, host?: string): Promise<void>;
  /** A task that has failed all its attempts with this message. */
  failedTask(message: string): Promise<string>;
}

/** Rows hang on one goal and one strategy, which the first call inserts. */
export function createRows(db: UnitOfWork): Rows {
  let known: Promise<StrategyView> | undefined;
  const strategy = () => {
    known ??= insertGoal(db, () => ({ displayName: 'Example goal' })).then((goal) =>
      insertStrategy(db, goal, () => ({ displayName: 'Example strategy' })),
    );
    return known;
  };
  let count = 0;
  const newName = () => {
    count += 1;
    return `example-${String(count).padStart(4, '0')}`;
  };
  const audit: Rows['audit'] = async (overrides = {}) =>
    insertAudit(db, await strategy(), () => ({ name: newName(), ...overrides }));
  return {
    audit,
    async plan({ actions: wanted = 3, audit: ofAudit, plan: ofPlan = {}, action = () => ({}), hosts: named } = {}) {
      const hosts: Hosts = named ?? [newName(), newName()];
      const own = await audit({ state: 'SUCCEEDED', ...ofAudit });
      const plan = await insertActionPlan(db, own, await strategy(), () => ofPlan);
      await db.planHosts.insert(plan.id, hostsBeforeAndAfter(hosts, wanted));
      const actions: ActionView[] = [];
      for (let place = 0; place < wanted; place += 1) {
        const parents = actions.slice(-1).map(({ uuid }) => uuid);
        actions.push(await insertAction(db, plan, () => ({ ...migration(place, hosts), parents, ...action(place) })));
      }
      return { audit: own, plan, actions };
    },
    async template(name) {
      const { id: strategyId, goalId } = await strategy();
      return db.auditTemplates.insert({ uuid: randomUUID(), name, description: null, goalId, strategyId, scope: [] });
    },
    async rule(name, host = 'compute-2') {
      await db.placementRules.insert({
        uuid: randomUUID(),
        name,
        description: null,
        kind: 'avoid_hosts',
        instances: { names: ['*'] },
        hosts: { names: [host] },
        isStrict: true,
        maxPerHost: null,
        enabled: true,
      });
    },
    async failedTask(message) {
      // No scheduler works on this queue.
      const queue = `host.${newName()}`;
      const { uuid } = await db.tasks.enqueue(purgeIn(queue));
      const claimed = await db.tasks.claim(queue, ['purge'], { instance: randomUUID(), host: queue, ttlMs: 600_000 });
      if (!claimed) throw new Error('the task was not due');
      await db.tasks.fail(uuid, claimed.fence, { code: 'not-found', message });
      return uuid;
    },
  };
}

function purgeIn(queue: string): Parameters<UnitOfWork['tasks']['enqueue']>[0] {
  const uuid = randomUUID();
  return {
    uuid,
    name: 'purge',
    args: { goal: 'none-such', dry_run: true },
    argsKey: uuid,
    queue,
    mode: 'none',
    extraNames: [],
    priority: 100,
    runAfter: null,
    maxAttempts: 1,
    timeoutSeconds: 60,
    singleTimeoutSeconds: 60,
    createdBy: 'test',
    requestId: null,
    scheduleName: null,
    fireTime: null,
  };
}

function migration(place: number, [source, destination]: Hosts): ActionOverrides {
  return {
    actionType: 'migrate',
    inputParameters: {
      migration_type: 'live',
      resource_id: randomUUID(),
      resource_name: `instance-${place + 1}`,
      source_node: source,
      destination_node: destination,
    },
  };
}

/** The source gives an instance of 1 GiB for each action to the destination. */
function hostsBeforeAndAfter([source, destination]: Hosts, moves: number): PlanHosts {
  const capacity = { vcpus: 64, dedicatedCpus: 0, memory: 131_072, disk: 1000 };
  const use = (instances: number) => ({
    vcpus: instances,
    dedicatedCpus: 0,
    memory: instances * 1024,
    disk: instances,
    instances,
    enabled: true,
  });
  const host = (hostname: string, before: number, after: number) => ({
    hostname,
    capacity,
    before: use(before),
    after: use(after),
    instancesIn: Math.max(0, after - before),
    instancesOut: Math.max(0, before - after),
  });
  const none = { vcpus: 0, dedicatedCpus: 0, memory: 0, disk: 0 };
  return {
    modelTakenAt: '2026-01-01T00:00:00.000Z',
    hosts: [host(source, moves + 20, 20), host(destination, 1, moves + 1)],
    unplaced: { ...none, instances: 0 },
    moved: {},
  };
}
