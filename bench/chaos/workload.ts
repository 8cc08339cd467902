import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { effectOf } from '#libs/actions';
import { VigilApiError } from '#libs/client';
import { actionPlanStateTable, isTerminal, type JsonObject, type RandomSource, StateConflictError } from '#libs/domain';
import type { ActionPlanView, StrategyView } from '#libs/store';
import { insertAction, insertActionPlan, insertAudit } from '#libs/testing';
import type { ChaosStack } from './stack.ts';

const lookMs = 250;
const shares = { audit: 0.2, cancel: 0.1, pause: 0.1, cold: 0.25, thereAndBack: 0.3, service: 0.2, rollback: 0.4 };

/** What the workload has done, for the verdict. */
export interface Workload {
  /** Keeps `width` plans under way until `enough` answers true; resolves when the last has ended or `limitMs` is over. */
  run(width: number, enough: (plans: number) => boolean, limitMs: number): Promise<void>;
}

interface Spec {
  uuid: string;
  actionType: string;
  inputParameters: JsonObject;
  parents: string[];
}

/**
 * Makes plans that move servers to and fro, some of which are rolled back when they have ended, and audits of the dummy
 * strategy that start their plan by themselves. A server is in one plan and its rollback at a time, so that where it must
 * be in the end follows from what succeeded.
 */
export async function createWorkload(stack: ChaosStack, random: RandomSource): Promise<Workload> {
  const { store } = stack;
  const servers = (await stack.cloud.compute.listServers()).filter(({ status }) => status === 'ACTIVE');
  const names = (await stack.cloud.compute.listHypervisors()).map(({ serviceHost }) => serviceHost).sort();
  // Services of the last two are switched on and off, so nothing is moved to them.
  const [switched, hosts] = [names.slice(-2), names.slice(0, -2)];
  const free = servers.filter(({ host }) => hosts.includes(host ?? '')).map(({ uuid }) => uuid);
  const hostOf = new Map(servers.map(({ uuid, host }) => [uuid, host ?? '']));
  const strategy = await dummyStrategy(stack);
  const chance = (share: number) => random() < share;
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;

  function takeServers(): string[] {
    const count = Math.min(free.length, 1 + Math.floor(random() * 3));
    return Array.from({ length: count }, () => free.splice(Math.floor(random() * free.length), 1)[0] as string);
  }

  function movesOf(server: string): Spec[] {
    const from = hostOf.get(server) ?? '';
    const to = pick(hosts.filter((host) => host !== from));
    const migration_type = chance(shares.cold) ? 'cold' : 'live';
    const move = (source_node: string, destination_node: string, parents: string[]): Spec => ({
      uuid: randomUUID(),
      actionType: 'migrate',
      inputParameters: { migration_type, resource_id: server, source_node, destination_node },
      parents,
    });
    const there = move(from, to, []);
    return chance(shares.thereAndBack) ? [there, move(to, from, [there.uuid])] : [there];
  }

  function switchesOf(host: string): Spec[] {
    const input = { resource_id: host, resource_name: host };
    const actionType = 'change_nova_service_state';
    const disabled = { ...input, state: 'disabled', disabled_reason: 'watcher_disabled' };
    const off: Spec = { uuid: randomUUID(), actionType, inputParameters: disabled, parents: [] };
    return [
      off,
      { uuid: randomUUID(), actionType, inputParameters: { ...input, state: 'enabled' }, parents: [off.uuid] },
    ];
  }

  async function movePlan(): Promise<void> {
    const taken = takeServers();
    const host = chance(shares.service) ? switched.pop() : undefined;
    const specs = [...taken.flatMap(movesOf), ...(host ? switchesOf(host) : [])];
    const audit = await insertAudit(store.db, strategy, () => ({ state: 'SUCCEEDED' }));
    const plan = await insertActionPlan(store.db, audit, strategy);
    for (const spec of specs) await insertAction(store.db, plan, () => spec);
    await start(plan);
    await changeMind(plan);
    await end(plan.uuid);
    const undoing = chance(shares.rollback) ? await rollBack(plan) : [];
    if (host) switched.push(host);
    await settle([plan, ...undoing], taken);
  }

  /** Undoes a plan that has ended. Answers the plans that did; none when nothing of it can be undone. */
  async function rollBack(plan: ActionPlanView): Promise<ActionPlanView[]> {
    const params = { path: { ident: plan.uuid } };
    const filters = [{ field: 'rollsBack' as const, value: plan.uuid }];
    const find = () => store.db.actionPlans.list({ filters, sortKey: 'id' });
    await insist(async (client) => {
      // The answer to an earlier try got lost.
      if ((await find()).length > 0) return null;
      return client.api.POST('/v1/action_plans/{ident}/rollback', { params, body: {} }).catch((error: unknown) => {
        if (error instanceof VigilApiError && error.status === 400) return null;
        throw error;
      });
    });
    const undoing = await find();
    for (const one of undoing) {
      await changeMind(one);
      await end(one.uuid);
    }
    return undoing;
  }

  async function changeMind(plan: ActionPlanView): Promise<void> {
    const [isPaused, isCancelled, isAborted] = [chance(shares.pause), chance(shares.cancel), chance(0.5)];
    await sleep(300 + random() * 1500);
    if (isPaused) await pause(plan);
    if (isCancelled) await cancel(plan, isAborted);
  }

  /** A server whose move failed is left alone from then on. */
  async function settle(plans: readonly ActionPlanView[], taken: string[]): Promise<void> {
    const rows = await Promise.all(plans.map(({ uuid }) => store.db.actions.listByPlan(uuid)));
    const actions = rows.flat().map((row) => ({ ...row, ...effectOf(row) }));
    for (const server of taken) {
      const own = actions.filter(({ inputParameters }) => inputParameters.resource_id === server);
      const last = own.findLast(({ state }) => state === 'SUCCEEDED');
      if (last) hostOf.set(server, String(last.inputParameters.destination_node));
      if (!own.some(({ state }) => state === 'FAILED')) free.push(server);
    }
  }

  async function auditPlan(): Promise<void> {
    const body = { goal: 'dummy', strategy: 'dummy', audit_type: 'ONESHOT', auto_trigger: true, force: true };
    const created = await insist((client) => client.api.POST('/v1/audits', { body: body as never }));
    const uuid = (created?.data as { uuid?: string } | undefined)?.uuid;
    if (!uuid) return;
    for (;;) {
      const [plan] = await store.db.actionPlans.list({ filters: [{ field: 'auditUuid', value: uuid }] });
      if (plan) return end(plan.uuid);
      const { state } = await store.db.audits.get(uuid);
      if (isOver() || state === 'FAILED' || state === 'CANCELLED') return;
      await sleep(lookMs);
    }
  }

  async function start(plan: ActionPlanView): Promise<void> {
    const params = { path: { ident: plan.uuid } };
    await insist(async (client) => {
      const { state } = await store.db.actionPlans.get(plan.uuid);
      // The answer to an earlier try got lost.
      if (state !== 'RECOMMENDED') return null;
      return client.api.POST('/v1/action_plans/{ident}/start', { params, body: {} });
    });
  }

  /** Asks one API or the other until one answers. */
  async function insist<Answer>(
    ask: (client: ChaosStack['clients'][number]) => Promise<Answer>,
  ): Promise<Answer | null> {
    for (;;) {
      try {
        return await ask(pick(stack.clients));
      } catch (error) {
        if (!(error instanceof VigilApiError) && !(error instanceof Error)) throw error;
        if (isOver()) return null;
      }
      await sleep(lookMs);
    }
  }

  async function pause(plan: ActionPlanView): Promise<void> {
    await store.db.actionPlans.update(plan.uuid, { paused: true });
    await sleep(1000 + random() * 3000);
    await store.db.actionPlans.update(plan.uuid, { paused: false });
  }

  async function cancel(plan: ActionPlanView, abortRunning: boolean): Promise<void> {
    try {
      await store.db.actionPlans.transition(plan.uuid, 'requestCancel', { set: { abortRunning } });
    } catch (error) {
      if (!(error instanceof StateConflictError)) throw error;
    }
  }

  async function end(uuid: string): Promise<void> {
    while (!isOver()) {
      const { state } = await store.db.actionPlans.get(uuid);
      if (isTerminal(actionPlanStateTable, state)) return;
      await sleep(lookMs);
    }
  }

  let deadline = 0;
  const isOver = () => Date.now() > deadline;

  return {
    async run(width, enough, limitMs) {
      deadline = Date.now() + limitMs;
      let plans = 0;
      async function lane(): Promise<void> {
        while (!enough(plans) && !isOver()) {
          plans += 1;
          await (chance(shares.audit) ? auditPlan() : movePlan());
        }
      }
      await Promise.all(Array.from({ length: width }, lane));
    },
  };
}

async function dummyStrategy(stack: ChaosStack): Promise<StrategyView> {
  for (;;) {
    const strategy = await stack.store.db.strategies.find('dummy');
    if (strategy) return strategy;
    await sleep(lookMs);
  }
}
