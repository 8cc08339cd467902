import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf, VigilApiError, type VigilClient } from '#libs/client';
import type { RandomSource } from '#libs/domain';
import type { Stack } from '../stack/stack.ts';
import type { AuditDraw, SoakAudit } from './audits.ts';
import { changedMs, type PlanRecord, stateOf } from './record.ts';
import type { WorkLog } from './work-log.ts';

/** Actions of operators, each as often as it stands here. */
const operations = [
  'audit',
  'audit',
  'start',
  'start',
  'start',
  'preview',
  'preview',
  'preview',
  'cancel',
  'enable',
] as const;
type Operation = (typeof operations)[number];

/** Pause between two of them in milliseconds. */
const pauseMs = { least: 3000, more: 6000 };
/** Age of a plan that an operator starts, in milliseconds. */
const oldMs = { least: 5000, more: 90_000 };
const policies = ['continue', 'stop', 'rollback'] as const;

/** Whether the refusal names the option that confirms a start. */
function isStale(error: unknown): boolean {
  return error instanceof VigilApiError && error.faultstring.includes('force_stale');
}

/** API users in addition to the continuous audits. */
export interface Operators {
  /** Deeds of each kind: done, refused by the API, failed, or idle because there was nothing to do. */
  counts: Readonly<Record<string, number>>;
  /** Refused calls with an unexpected status: 5xx, or no response. */
  failures: readonly string[];
  /** Audits that they created. */
  audits: readonly SoakAudit[];
  stop(): Promise<void>;
}

/** Lets operators create audits, start plans that have waited, preview, cancel, and enable emptied hosts. */
export function letOperatorsWork(stack: Stack, book: WorkLog, draw: AuditDraw, random: RandomSource): Operators {
  const counts: Record<string, number> = {};
  const failures: string[] = [];
  const audits: SoakAudit[] = [];
  const ending = new AbortController();
  const { signal } = ending;
  const client = stack.clients[0] as VigilClient;
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)];
  const plansIn = (...states: string[]) => [...book.plans.values()].filter((plan) => states.includes(stateOf(plan)));

  /** Some insist when the API refuses a plan of an older state of the cloud. */
  async function start(plan: PlanRecord): Promise<void> {
    const body = {
      ...(random() < 0.4 ? { on_failure: pick(policies) } : {}),
      ...(random() < 0.3 ? { max_migrations: 1 + Math.floor(random() * 5) } : {}),
    };
    const isInsistent = random() < 0.3;
    const params = { path: { ident: plan.uuid } };
    const startWith = (more: object) =>
      dataOf(client.api.POST('/v1/action_plans/{ident}/start', { params, body: { ...body, ...more } }));
    await startWith({}).catch(async (error: unknown) => {
      if (!isStale(error) || !isInsistent) throw error;
      await startWith({ force_stale: true });
      counts.start_forced = (counts.start_forced ?? 0) + 1;
    });
  }

  /** Each returns whether there was something to do. */
  const makers: Record<Operation, () => Promise<boolean>> = {
    /** Two plans of one state of the cloud, with opposite aims. */
    async audit() {
      for (const aim of ['balance', 'consolidate'] as const) audits.push(await draw.single(aim));
      return true;
    },
    async start() {
      const age = oldMs.least + random() * oldMs.more;
      const old = plansIn('RECOMMENDED').filter((plan) => Date.now() - changedMs(plan) >= age);
      const plan = pick(old);
      if (plan) await start(plan);
      return plan !== undefined;
    },
    async preview() {
      const plan = pick([...book.plans.values()].slice(-20));
      const params = { path: { ident: plan?.uuid ?? '' } };
      if (plan) await dataOf(client.api.GET('/v1/action_plans/{ident}/preview', { params }));
      return plan !== undefined;
    },
    async cancel() {
      const plan = pick(plansIn('ONGOING', 'PENDING'));
      if (!plan) return false;
      const params = { path: { ident: plan.uuid } };
      if (random() < 0.3) await client.api.POST('/v1/action_plans/{ident}/abort', { params });
      else {
        const value = stateOf(plan) === 'ONGOING' ? 'CANCELLING' : 'CANCELLED';
        const body = [{ op: 'replace', path: '/state', value }] as never;
        await client.api.PATCH('/v1/action_plans/{ident}', { params, body });
      }
      return true;
    },
    /** Uses an emptied host again, so that consolidation does not run out of hosts. */
    async enable() {
      const services = await stack.othersCloud.compute.listServices();
      const { hosts } = await stack.control<{ hosts: { name: string; servers: number }[] }>(
        '/state?migrations=false',
        null,
      );
      const busy = JSON.stringify(plansIn('PENDING', 'ONGOING', 'CANCELLING').flatMap(inputsOf));
      const isFree = ({ name, servers }: { name: string; servers: number }) =>
        servers === 0 && !busy.includes(`"${name}"`);
      const empty = new Set(hosts.filter(isFree).map(({ name }) => name));
      const off = services.filter(({ status, host }) => status === 'disabled' && empty.has(host));
      for (const { id } of off) await stack.othersCloud.compute.setServiceStatus(id, 'enabled', null);
      return off.length > 0;
    },
  };

  function inputsOf({ uuid }: PlanRecord): object[] {
    return [...book.actions.values()].filter(({ planUuid }) => planUuid === uuid).map(({ input }) => input);
  }

  async function work(): Promise<void> {
    while (!signal.aborted) {
      const operation = pick(operations) as Operation;
      const result = await makers[operation]().then(
        (isDone) => (isDone ? 'done' : 'idle'),
        (error: unknown) => note(operation, error),
      );
      counts[`${operation}_${result}`] = (counts[`${operation}_${result}`] ?? 0) + 1;
      await sleep(pauseMs.least + random() * pauseMs.more, undefined, { signal }).catch(() => undefined);
    }
  }

  function note(operation: Operation, error: unknown): 'refused' | 'failed' {
    if (error instanceof VigilApiError && error.status >= 400 && error.status < 500) return 'refused';
    failures.push(
      `${new Date().toISOString()} ${operation}: ${error instanceof Error ? error.message : String(error)}`,
    );
    return 'failed';
  }

  const working = work();
  working.catch(() => undefined);
  return {
    ...{ counts, failures, audits },
    stop() {
      ending.abort();
      return working;
    },
  };
}
