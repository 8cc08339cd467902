import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf, type VigilClient } from '#libs/client';
import type { TestStack } from '../system/test-stack.ts';
import { type Manner, type Outage, type OutageStack, speed } from './outage-stack.ts';

/** Observations of one outage. */
export interface Observation {
  outage: Outage;
  manner: Manner;
  /** Status of a read and of a write during the outage; 0 when there was no response within 10 s. */
  read: number;
  write: number;
  /** Dependency that a 503 named. */
  named: string | null;
  hasRetryAfter: boolean;
  /** Whether the gates of the processes were open at the end of the outage. */
  engineOpen: boolean;
  applierOpen: boolean;
  /** States of the work that was running at the start of the outage. */
  audit: string;
  plan: string;
  /** Servers that the cloud was requested to move, and how many of them twice. */
  moves: number;
  repeated: number;
  /** Seconds from the return until all of this work had ended. */
  recoveredSeconds: number;
}

const responseLimitMs = 10_000;
const endLimitMs = 90_000;
/** Wait limit for conditions before and during the outage. */
const startLimitMs = 60_000;
/** Increase of the load of one host, so that an audit finds a move. */
const loadFactor = 4;
/** Time until the history shows the present load. */
const settleMs = 3500;
const strategy = {
  goal: 'workload_balancing',
  strategy: 'workload_stabilization',
  // No process pauses for the whole window, which must contain a sample.
  parameters: { thresholds: { instance_cpu_usage: 0.02 }, periods: { instance: 30, compute_node: 30 } },
};

/**
 * Makes a dependency unavailable while a plan moves servers and a new audit reads the history. Observes the responses
 * to clients, and ends the outage.
 */
export async function observeOutage(
  outageStack: OutageStack,
  what: {
    outage: Outage;
    manner: Manner;
    forMs: number;
    /** Observes only after engine and applier have noticed. */
    untilHeld?: boolean;
  },
): Promise<Observation> {
  const { stack, client, health, takeAway } = outageStack;
  const plan = await makePlan(outageStack);
  const { requests } = await stack.control<{ requests: LoggedRequest[] }>('/requests');
  // No server arrives before the outage starts, however long that takes.
  await stack.control('/speed', { speed: 0 });
  await client.api.POST('/v1/action_plans/{ident}/start', { params: { path: { ident: plan } }, body: {} });
  const audit = await createAudit(client);
  // Without the client, which would wait for the end of the outage.
  const token = await stack.issueToken();
  await untilMoving(client, plan);
  const bringBack = await takeAway(what.outage, what.manner);
  await stack.control('/speed', { speed });
  await sleep(what.forMs);
  if (what.untilHeld)
    await until(
      'engine and applier hold',
      async () => !((await isOpen(health.engine)) || (await isOpen(health.applier))),
    );
  const seen = await look(stack.api.url ?? '', token);
  const [engineOpen, applierOpen] = await Promise.all([isOpen(health.engine), isOpen(health.applier)]);
  await bringBack();
  const begin = performance.now();
  const [endedAudit, endedPlan] = await Promise.all([
    patiently(() => client.waitForAudit(audit, { pollMs: 200, timeoutMs: endLimitMs })),
    patiently(() => client.waitForActionPlan(plan, { pollMs: 200, timeoutMs: endLimitMs })),
  ]);
  const recoveredSeconds = Math.round((performance.now() - begin) / 1000);
  const { outage, manner } = what;
  const states = { audit: endedAudit.state ?? '', plan: endedPlan.state ?? '' };
  const moves = await movesSince(stack, requests.length);
  return { outage, manner, ...seen, engineOpen, applierOpen, ...states, ...moves, recoveredSeconds };
}

async function createAudit(client: VigilClient): Promise<string> {
  // Without force, the running plan would cancel it.
  const body = { ...strategy, audit_type: 'ONESHOT', force: true };
  const { uuid } = await dataOf(client.api.POST('/v1/audits', { body: body as never }));
  return uuid;
}

/** Makes another host busy and audits, so that a plan relieves the host. */
async function makePlan({ stack, client }: OutageStack): Promise<string> {
  const { hosts } = await stack.control<{ hosts: { name: string; servers: number; cpu_percent: number }[] }>('/state');
  const idlest = hosts.filter(({ servers }) => servers > 2).reduce((a, b) => (b.cpu_percent < a.cpu_percent ? b : a));
  await fetch(`${stack.simulator.url}/simulator/load`, { method: 'DELETE' });
  await stack.control('/load', { factor: loadFactor, hosts: [idlest.name] });
  await until('the engine has told its strategies', async () => (await client.list('strategies')).length > 0);
  let found = '';
  // The history shows it after some seconds, or later if the simulator pauses.
  await until('an audit proposes to relieve it', async () => {
    await sleep(settleMs);
    const audit = await client.waitForAudit(await createAudit(client), { pollMs: 200, timeoutMs: startLimitMs });
    const [plan] = await client.list('action_plans', { filters: { audit_uuid: audit.uuid } });
    if (plan?.state === 'RECOMMENDED') found = plan.uuid;
    return found !== '';
  });
  return found;
}

/** Waits until a server is moving. */
function untilMoving(client: VigilClient, plan: string): Promise<void> {
  return until('an action of the plan begins', async () => {
    const actions = await client.list('actions', { filters: { action_plan_uuid: plan } });
    return actions.some(({ state }) => state === 'ONGOING');
  });
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const giveUp = performance.now() + startLimitMs; !(await isSo()); await sleep(50))
    if (performance.now() > giveUp) throw new Error(`it did not come about that ${what}`);
}

interface LoggedRequest {
  method: string;
  path: string;
  status: number | null;
}

/** Accepted requests to move a server, and those of them for a server that had moved already. */
async function movesSince(stack: TestStack, since: number): Promise<Pick<Observation, 'moves' | 'repeated'>> {
  const { requests } = await stack.control<{ requests: LoggedRequest[] }>('/requests');
  const taken = requests
    .slice(since)
    .filter(({ method, path, status }) => method === 'POST' && path.endsWith('/action') && (status ?? 500) < 300);
  return { moves: taken.length, repeated: taken.length - new Set(taken.map(({ path }) => path)).size };
}

type Seen = Pick<Observation, 'read' | 'write' | 'named' | 'hasRetryAfter'>;

async function look(url: string, token: string): Promise<Seen> {
  const template = { name: `outage-${process.hrtime.bigint()}`, goal: 'dummy' };
  const request = async (path: string, body?: object) => {
    const response = await fetch(`${url}/v1/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-auth-token': token, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : undefined,
      signal: AbortSignal.timeout(responseLimitMs),
    });
    return { status: response.status, text: await response.text(), retry: response.headers.has('retry-after') };
  };
  const none = { status: 0, text: '', retry: false };
  const responses = [request('audits'), request('audit_templates', template)].map((answer) => answer.catch(() => none));
  const [read = none, write = none] = await Promise.all(responses);
  const refused = [read, write].find(({ status }) => status === 503) ?? none;
  const named = /(PostgreSQL|RabbitMQ|Keystone|Nova)/.exec(refused.text)?.[1] ?? null;
  return { read: read.status, write: write.status, named, hasRetryAfter: refused.retry };
}

async function isOpen(url: string): Promise<boolean> {
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(responseLimitMs) });
  const { checks } = (await response.json()) as { checks: { name: string; ok: boolean }[] };
  return checks.find(({ name }) => name === 'gate')?.ok === true;
}

/** Retries after a 503 for a minute, as clients do. */
async function patiently<Result>(request: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; ; tries++) {
    try {
      return await request();
    } catch (error) {
      if (tries === 30) throw error;
      await sleep(2000);
    }
  }
}
