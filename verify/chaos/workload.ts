import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { VigilApiError } from '#libs/client';
import { actionPlanStateTable, isTerminal, type RandomSource, StateConflictError } from '#libs/domain';
import { OpenStackError } from '#libs/openstack';
import type { ActionPlanView, ActionView, StrategyView } from '#libs/store';
import { insertAction, insertActionPlan, insertAudit, insertGoal, insertStrategy } from '#tests';
import { isAccepted } from '../stack/cloud-log.ts';
import { contradictionsOf } from './claims.ts';
import { patiently } from './patiently.ts';
import { type ActionSpec, createPlanSpecs } from './plan-specs.ts';
import { createSettleDeadline } from './settle-deadline.ts';
import type { ChaosStack } from './stack.ts';
import type { Thing, Things } from './things.ts';
import { chaosHosts } from './world.ts';

const checkMs = 250;
const shares = { audit: 0.15, cancel: 0.15, pause: 0.1, rollback: 0.3, foreign: 0.04 };
const policies = ['continue', 'continue', 'stop', 'rollback', 'rollback'] as const;
/**
 * Pauses before an operator's intervention, in milliseconds: immediately, while the plan runs, or near its end and in
 * its rollback.
 */
const phases = [
  { least: 0, more: 0 },
  { least: 300, more: 1500 },
  { least: 2000, more: 3000 },
];

/** Actions of one plan, and the things that are reserved for it. */
interface PlannedWork {
  specs: ActionSpec[];
  taken: Thing[];
}

/** Plans and observations of the workload, for the verdict. */
export interface Workload {
  /**
   * Runs `width` plans at a time until `enough` returns true. Resolves when the last has ended, or when no plan has
   * ended for `settleMs` since `calm`, the end of the disturbances.
   */
  run(options: {
    width: number;
    calm: Promise<unknown>;
    enough: (plans: number) => boolean;
    settleMs: number;
  }): Promise<void>;
  /**
   * Runs one plan to its end, with `during` while it runs: at most `limitMs` in all, and at most `endMs` after
   * `during`.
   */
  perform(
    plan: PlannedWork & { limitMs: number; endMs?: number | undefined },
    during: (plan: ActionPlanView) => Promise<void>,
  ): Promise<void>;
  /** Moves a server of these actions as another user, to `host` or to any host. No action may abort this migration. */
  moveAsAnotherUser(server: Thing, specs: readonly ActionSpec[], host?: string): Promise<void>;
  /** Number of plans started so far. */
  started(): number;
  /** Actions whose end state contradicts the state of the cloud right after their end, with the contradiction. */
  untrue(): ReadonlyMap<string, string>;
  /** Actions whose server another user moved while they ran. */
  disturbed(): ReadonlySet<string>;
  /** Things whose state since their last plan is known for certain. */
  settled(): Thing[];
}

/**
 * Makes plans of every type of action, and audits of the dummy strategy that start their plan automatically. Some plans
 * are rolled back after their end. A thing belongs to one plan and its rollbacks at a time, so that their end states
 * determine its final state.
 * @param aborted ends the waits and lanes of the workload
 */
export async function createWorkload(
  stack: ChaosStack,
  things: Things,
  random: RandomSource,
  aborted: AbortSignal,
): Promise<Workload> {
  const { store } = stack;
  const strategy = await dummyStrategy(stack);
  const draw = createPlanSpecs(things, random);
  const chance = (share: number) => random() < share;
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const untrue = new Map<string, string>();
  const disturbed = new Set<string>();
  const unknown = new Set<Thing>();
  let plans = 0;
  const deadline = createSettleDeadline();
  const isOver = () => aborted.aborted || deadline.isOver();
  const insist = <Result>(call: () => Promise<Result>) => patiently(call, isOver);

  async function changePlan(): Promise<void> {
    const { specs, taken } = draw();
    for (const thing of taken) unknown.add(thing);
    const plan = await insist(() => insertPlan(stack, strategy, specs, pick(policies)));
    if (!plan) return;
    await start(plan);
    const server = taken.find(({ kind }) => kind === 'server');
    if (server && chance(shares.foreign)) {
      await sleep(random() * 1000);
      await moveAsAnotherUser(server, specs);
    }
    await changeMind(plan);
    await end(plan.uuid);
    const undoing = chance(shares.rollback) ? await rollBack(plan) : [];
    if (!isOver()) await settle([plan, ...undoing], specs, taken);
  }

  /** Checks the subjects of the plans once the cloud processes no more requests about them. */
  async function settle(of: readonly ActionPlanView[], specs: readonly ActionSpec[], taken: Thing[]): Promise<void> {
    const lists = await insist(() => Promise.all(of.map(({ uuid }) => store.db.actions.listByPlan(uuid))));
    if (lists === null) return;
    const rows = lists.flat();
    const touched = { actions: new Set(rows.map(({ uuid }) => uuid)), ids: taken.map(({ id }) => id) };
    await stack.log.quiet(touched, isOver);
    for (const thing of taken) {
      const own = specs.filter(({ change }) => change?.thing === thing);
      if (await isTrue(thing, own, rows)) {
        unknown.delete(thing);
        things.giveBack(thing);
      }
    }
  }

  /** Returns whether the state of the thing fits its actions, and whether it can be used again. */
  async function isTrue(thing: Thing, own: readonly ActionSpec[], rows: readonly ActionView[]): Promise<boolean> {
    const state = await things.read(thing, isOver);
    if (state === null) return false;
    const isDisturbed = own.some(({ uuid }) => disturbed.has(uuid));
    const requested = new Set(stack.log.mutations().flatMap((one) => (isAccepted(one) ? [one.action] : [])));
    const contradictions = isDisturbed ? [] : contradictionsOf(own, rows, things.stateOf(thing), state, requested);
    for (const { action, text } of contradictions) untrue.set(action, `${text} (${thing.kind} ${thing.id})`);
    things.note(thing, state);
    return contradictions.length === 0 && isUsable(thing, state.status ?? 'ACTIVE');
  }

  /** An operator starts servers that a plan has stopped. A server in any other state is not used again. */
  async function isUsable(thing: Thing, status: string): Promise<boolean> {
    if (status !== 'SHUTOFF') return status === 'ACTIVE';
    await insist(() => stack.cloud.compute.startServer(thing.id).catch(onlyWhenAway));
    const state = await things.read(thing, isOver);
    if (state) things.note(thing, state);
    return state?.status === 'ACTIVE';
  }

  async function moveAsAnotherUser(thing: Thing, specs: readonly ActionSpec[], host?: string): Promise<void> {
    const own = specs.filter(({ change }) => change?.thing === thing);
    for (const { uuid } of own) disturbed.add(uuid);
    const sources = own.map(({ change }) => change?.from);
    const named = own.flatMap(({ change }) => (change?.to ? [change.to] : []));
    // A migration to the very host that the plan requested is the hardest to recognize as foreign.
    const hosts = chance(0.5) && named.length > 0 ? named : chaosHosts.moving.filter((one) => !sources.includes(one));
    await stack.othersCloud.compute.liveMigrate(thing.id, host ?? pick(hosts)).catch(() => undefined);
  }

  /** Undoes a plan that has ended. Returns the rollback plans. Empty when no action can be undone. */
  async function rollBack(plan: ActionPlanView): Promise<ActionPlanView[]> {
    const params = { path: { ident: plan.uuid } };
    const filters = [{ field: 'rollsBack' as const, value: plan.uuid }];
    const find = () => store.db.actionPlans.list({ filters, sortKey: 'id' });
    await insist(async () => {
      // An earlier try succeeded, but its response was lost.
      if ((await find()).length > 0) return null;
      const client = pick(stack.clients);
      return client.api.POST('/v1/action_plans/{ident}/rollback', { params, body: {} }).catch((error: unknown) => {
        if (error instanceof VigilApiError && error.status === 400) return null;
        throw error;
      });
    });
    const undoing = (await insist(find)) ?? [];
    for (const one of undoing) {
      await changeMind(one);
      await end(one.uuid);
    }
    return undoing;
  }

  async function changeMind(plan: ActionPlanView): Promise<void> {
    const { least, more } = pick(phases);
    const [isPaused, isCancelled, isAborted] = [chance(shares.pause), chance(shares.cancel), chance(0.5)];
    await sleep(least + random() * more);
    if (isPaused) await pause(plan);
    if (isCancelled) await cancel(plan, isAborted);
  }

  async function auditPlan(): Promise<void> {
    const name = `chaos-${randomUUID()}`;
    const body = { name, goal: 'dummy', strategy: 'dummy', audit_type: 'ONESHOT', auto_trigger: true, force: true };
    await insist(async () => {
      // An earlier try succeeded, but its response was lost.
      if (await store.db.audits.find(name)) return null;
      return pick(stack.clients).api.POST('/v1/audits', { body: body as never });
    });
    while (!isOver()) {
      const isDone = await insist(async () => {
        const audit = await store.db.audits.find(name);
        if (!audit || audit.state === 'FAILED' || audit.state === 'CANCELLED') return true;
        const [plan] = await store.db.actionPlans.list({ filters: [{ field: 'auditUuid', value: audit.uuid }] });
        return plan ? isTerminal(actionPlanStateTable, plan.state) : false;
      });
      if (isDone) return;
      await sleep(checkMs);
    }
  }

  async function start(plan: ActionPlanView): Promise<void> {
    const params = { path: { ident: plan.uuid } };
    await insist(async () => {
      const { state } = await store.db.actionPlans.get(plan.uuid);
      // An earlier try succeeded, but its response was lost.
      if (state !== 'RECOMMENDED') return null;
      return pick(stack.clients).api.POST('/v1/action_plans/{ident}/start', { params, body: {} });
    });
  }

  async function pause(plan: ActionPlanView): Promise<void> {
    await insist(() => store.db.actionPlans.update(plan.uuid, { paused: true }));
    await sleep(1000 + random() * 2000);
    await insist(() => store.db.actionPlans.update(plan.uuid, { paused: false }));
  }

  async function cancel(plan: ActionPlanView, abortRunning: boolean): Promise<void> {
    await insist(() =>
      store.db.actionPlans.transition(plan.uuid, 'requestCancel', { set: { abortRunning } }).catch((error: unknown) => {
        if (!(error instanceof StateConflictError)) throw error;
      }),
    );
  }

  async function end(uuid: string): Promise<void> {
    while (!isOver()) {
      const plan = await insist(() => store.db.actionPlans.get(uuid));
      if (plan && isTerminal(actionPlanStateTable, plan.state)) return;
      await sleep(checkMs);
    }
  }

  return {
    async run({ width, calm, enough, settleMs }) {
      // A failure of the disturbances aborts the workload.
      const settle = () => deadline.calm(settleMs);
      calm.then(settle, settle);
      async function lane(): Promise<void> {
        while (!enough(plans) && !isOver()) {
          plans += 1;
          await (chance(shares.audit) ? auditPlan() : changePlan());
          deadline.planEnded();
        }
      }
      await Promise.all(Array.from({ length: width }, lane));
    },
    async perform({ specs, taken, limitMs, endMs = limitMs }, during) {
      deadline.limit(limitMs);
      for (const thing of taken) unknown.add(thing);
      const plan = await insertPlan(stack, strategy, specs, 'continue');
      await start(plan);
      await during(plan);
      deadline.shorten(endMs);
      await end(plan.uuid);
      await settle([plan], specs, taken);
    },
    moveAsAnotherUser,
    started: () => plans,
    untrue: () => untrue,
    disturbed: () => disturbed,
    settled: () => things.all().filter((thing) => !unknown.has(thing)),
  };
}

/**
 * The cloud refuses a repeated request whose first response was lost. Only requests that did not arrive are retried.
 */
function onlyWhenAway(error: unknown): void {
  if (!(error instanceof OpenStackError) || error.category === 'retryable') throw error;
}

/** Inserts in one transaction. A second try finds the plan if the response to the first was lost. */
async function insertPlan(
  { store }: ChaosStack,
  strategy: StrategyView,
  specs: readonly ActionSpec[],
  onFailure: (typeof policies)[number],
): Promise<ActionPlanView> {
  const uuid = specs[0]?.uuid ?? randomUUID();
  const known = await store.db.actionPlans.find(uuid);
  if (known) return known;
  return store.transaction(async (unit) => {
    const audit = await insertAudit(unit, strategy, () => ({ state: 'SUCCEEDED' }));
    const plan = await insertActionPlan(unit, audit, strategy, () => ({ uuid, onFailure }));
    for (const { change, ...spec } of specs) await insertAction(unit, plan, () => spec);
    return plan;
  });
}

/** Without an engine, no process publishes strategies. */
async function dummyStrategy(stack: ChaosStack): Promise<StrategyView> {
  const { db } = stack.store;
  const hasEngine = stack.members.some(({ role }) => role === 'decision-engine');
  if (!hasEngine) return insertStrategy(db, await insertGoal(db), () => ({ name: 'dummy' }));
  for (;;) {
    const strategy = await stack.store.db.strategies.find('dummy');
    if (strategy) return strategy;
    await sleep(checkMs);
  }
}
