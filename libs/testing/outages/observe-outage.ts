import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf } from '#libs/client';
import type { Manner, Outage, OutageStack } from './outage-stack.ts';

/** What a round of one outage showed. */
export interface Observation {
  outage: Outage;
  manner: Manner;
  /** Status of a read and of a write during the outage; 0 when there was no answer within 10 s. */
  read: number;
  write: number;
  /** What a 503 named. */
  named: string | null;
  hasRetryAfter: boolean;
  /** Whether the gates of the processes were open at the end of the outage. */
  engineOpen: boolean;
  applierOpen: boolean;
  /** States of the work that was under way when the outage began. */
  audit: string;
  plan: string;
  /** Seconds from the return until all of it had ended. */
  recoveredSeconds: number;
}

/** Seconds for which the plan under way sleeps. */
const planSeconds = 4;
const answerLimitMs = 10_000;

/** Takes something away while a plan runs and an audit is new, looks what clients see, and brings it back. */
export async function observeOutage(
  { stack, client, health, takeAway }: OutageStack,
  what: { outage: Outage; manner: Manner; forMs: number },
): Promise<Observation> {
  const createAudit = async () => {
    const body = {
      goal: 'dummy',
      strategy: 'dummy',
      audit_type: 'ONESHOT',
      // Otherwise the plan that runs would have it cancelled.
      force: true,
      parameters: { para1: planSeconds, para2: 'outage' },
    };
    return dataOf(client.api.POST('/v1/audits', { body: body as never }));
  };
  const first = await client.waitForAudit((await createAudit()).uuid, { pollMs: 200, timeoutMs: 60_000 });
  const [plan] = await client.list('action_plans', { filters: { audit_uuid: first.uuid } });
  if (!plan) throw new Error(`the audit made no plan: ${first.state} ${first.status_message ?? ''}`);
  await client.api.POST('/v1/action_plans/{ident}/start', { params: { path: { ident: plan.uuid } }, body: {} });
  const audit = await createAudit();
  // Asked without the client, which would wait for the end of the outage.
  const token = await issueToken(stack.simulator.url ?? '');
  const bringBack = await takeAway(what.outage, what.manner);
  await sleep(what.forMs);
  const seen = await look(stack.api.url ?? '', token);
  const [engineOpen, applierOpen] = await Promise.all([isOpen(health.engine), isOpen(health.applier)]);
  await bringBack();
  const begin = performance.now();
  const [endedAudit, endedPlan] = await Promise.all([
    patiently(() => client.waitForAudit(audit.uuid, { pollMs: 200, timeoutMs: 90_000 })),
    patiently(() => client.waitForActionPlan(plan.uuid, { pollMs: 200, timeoutMs: 90_000 })),
  ]);
  const recoveredSeconds = Math.round((performance.now() - begin) / 1000);
  const { outage, manner } = what;
  const states = { audit: endedAudit.state ?? '', plan: endedPlan.state ?? '' };
  return { outage, manner, ...seen, engineOpen, applierOpen, ...states, recoveredSeconds };
}

type Seen = Pick<Observation, 'read' | 'write' | 'named' | 'hasRetryAfter'>;

async function look(url: string, token: string): Promise<Seen> {
  const template = { name: `outage-${process.hrtime.bigint()}`, goal: 'dummy' };
  const ask = async (path: string, body?: object) => {
    const response = await fetch(`${url}/v1/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-auth-token': token, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : undefined,
      signal: AbortSignal.timeout(answerLimitMs),
    });
    return { status: response.status, text: await response.text(), retry: response.headers.has('retry-after') };
  };
  const none = { status: 0, text: '', retry: false };
  const answers = [ask('audits'), ask('audit_templates', template)].map((answer) => answer.catch(() => none));
  const [read = none, write = none] = await Promise.all(answers);
  const refused = [read, write].find(({ status }) => status === 503) ?? none;
  const named = /(PostgreSQL|RabbitMQ|Keystone|Nova)/.exec(refused.text)?.[1] ?? null;
  return { read: read.status, write: write.status, named, hasRetryAfter: refused.retry };
}

async function issueToken(simulatorUrl: string): Promise<string> {
  const domain = { name: 'Default' };
  const auth = {
    identity: { methods: ['password'], password: { user: { name: 'admin', password: 'vigil', domain } } },
    scope: { project: { name: 'admin', domain } },
  };
  const response = await fetch(`${simulatorUrl}/identity/v3/auth/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auth }),
  });
  return response.headers.get('x-subject-token') ?? '';
}

async function isOpen(url: string): Promise<boolean> {
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(answerLimitMs) });
  const { checks } = (await response.json()) as { checks: { name: string; ok: boolean }[] };
  return checks.find(({ name }) => name === 'gate')?.ok === true;
}

/** Clients ask again after a 503; so does this one, for a minute. */
async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      if (tries === 30) throw error;
      await sleep(2000);
    }
  }
}
