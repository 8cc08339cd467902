import { dataOf } from '#libs/client';
import type { TestStack } from '../../tests/system/test-stack.ts';
import { callInternal } from './call-internal.ts';
import type { PlanKind } from './plan-kinds.ts';
import type { CloudState, SimulatedCloud } from './simulated-cloud.ts';

/** Ends of the judged plans. */
export const planEnds = ['succeeded', 'failed', 'cancelled', 'superseded', 'pending', 'recommended'] as const;
export type PlanEnd = (typeof planEnds)[number];

/** A plan, and the cloud at the times that its numbers are about. */
export interface MadePlan {
  uuid: string;
  strategy: string;
  end: PlanEnd;
  /** Until when the plan waits, ISO 8601. Null unless it is pending. */
  holdUntil: string | null;
  /** When the audit ran. */
  planned: CloudState;
  /** Before the first action. Null for plans that did not run. */
  before: CloudState | null;
  /** After the last action. Null for plans that did not run. */
  after: CloudState | null;
}

/** Collaborators for plans. */
export interface PlanMaker {
  stack: TestStack;
  cloud: SimulatedCloud;
  random(): number;
}

const waits = { pollMs: 100, timeoutMs: 120_000 };
/** Longest window of a strategy, with time to spare. */
const longestWindowMinutes = 90;
/** An effect that is due later than this is measured ahead of its time. */
const patienceMs = 20_000;
const fast = { speed: 300 };
const still = { speed: 0 };

const identOf = (ident: string) => ({ params: { path: { ident } } });

/** Why a strategy had nothing to do. */
export interface NoPlan {
  because: string;
}

/** Creates a plan of a kind on a manually changed cloud, and brings it to its end. */
export async function makePlan(maker: PlanMaker, kind: PlanKind, end: PlanEnd): Promise<MadePlan | NoPlan> {
  const { stack, cloud, random } = maker;
  await prepare(maker);
  const situation = { cloud, state: await cloud.read(), random, control: stack.control };
  let because = 'no parameters';
  for (const parameters of await kind.parameters(situation)) {
    await stack.measureAnew(longestWindowMinutes);
    const planned = await cloud.read();
    const found = await audit(stack, kind.strategy, parameters);
    if ('uuid' in found) {
      const ended = await bringToEnd(maker, found.uuid, end);
      return { uuid: found.uuid, strategy: kind.strategy, end, planned, ...ended };
    }
    ({ because } = found);
  }
  return { because };
}

/** Cancels plans that wait for their window: each holds its hosts. */
async function cancelPending({ client }: TestStack): Promise<void> {
  const body = [{ op: 'replace', path: '/state', value: 'CANCELLED' }] as never;
  for (const { uuid, state } of await client.list('action_plans')) {
    if (state === 'PENDING') await dataOf(client.api.PATCH('/v1/action_plans/{ident}', { ...identOf(uuid), body }));
  }
}

/** Removes faults and waiting plans, enables all hosts and nodes, and moves some instances manually. */
async function prepare({ stack, cloud, random }: PlanMaker): Promise<void> {
  await cancelPending(stack);
  await stack.control('/speed', fast);
  await fetch(`${stack.simulator.url}/simulator/faults`, { method: 'DELETE' });
  await cloud.restore();
  const { hosts, servers } = await cloud.read();
  const movable = servers.filter(({ name }) => name.startsWith('server-'));
  for (let count = 0; count < 4; count += 1) {
    const server = movable[Math.floor(random() * movable.length)];
    const host = hosts[Math.floor(random() ** 2 * 4)];
    if (server && host && server.host !== host.name && host.memory < 0.8 * host.capacity.memory) {
      await cloud.move(server.id, host.name);
    }
  }
}

/** The plan, unless it has no actions. */
async function audit({ client }: TestStack, strategy: string, parameters: object): Promise<{ uuid: string } | NoPlan> {
  const { goal_name: goal } = await client.get('strategies', strategy);
  const body = { goal, strategy, audit_type: 'ONESHOT', parameters, auto_trigger: false, force: true };
  const { uuid } = await dataOf(client.api.POST('/v1/audits', { body: body as never }));
  const { state, status_message: message } = await client.waitForAudit(uuid, waits);
  if (state !== 'SUCCEEDED') throw new Error(`the audit of ${strategy} ended as ${state}: ${message}`);
  const [plan] = await client.list('action_plans', { filters: { audit_uuid: uuid } });
  const actions = plan ? await client.list('actions', { filters: { action_plan_uuid: plan.uuid } }) : [];
  if (plan && actions.length > 0) return { uuid: plan.uuid };
  const { report } = await dataOf(client.api.GET('/v1/audits/{ident}/report', identOf(uuid)));
  return { because: report?.empty_because ?? 'no reason' };
}

type Ended = Pick<MadePlan, 'before' | 'after' | 'holdUntil'>;

async function bringToEnd(maker: PlanMaker, uuid: string, end: PlanEnd): Promise<Ended> {
  const { stack, cloud } = maker;
  const { client } = stack;
  const notRun = { before: null, after: null, holdUntil: null };
  switch (end) {
    case 'recommended':
      return notRun;
    case 'pending': {
      const holdUntil = new Date(Date.now() + 3_600_000).toISOString();
      await start(stack, uuid, { window_start: holdUntil });
      await untilHeld(stack, uuid);
      return { ...notRun, holdUntil };
    }
    case 'superseded':
      await supersede(stack, uuid);
      return notRun;
    case 'failed':
      await stack.control('/faults', {
        kind: 'error',
        match: { method: 'POST', path: '/action$' },
        status: 400,
        count: 1,
      });
      break;
    case 'cancelled':
      await stack.control('/speed', still);
      break;
  }
  const before = await cloud.read();
  await start(stack, uuid, {});
  if (end === 'cancelled') {
    await untilRunning(stack, uuid);
    const body = [{ op: 'replace', path: '/state', value: 'CANCELLING' }] as never;
    await client.api.PATCH('/v1/action_plans/{ident}', { ...identOf(uuid), body }).catch(async (error: unknown) => {
      // A plan of one short action may end before the request.
      if ((await client.get('action_plans', uuid)).state !== 'SUCCEEDED') throw error;
    });
    await stack.control('/speed', fast);
  }
  await client.waitForActionPlan(uuid, waits);
  const after = await cloud.read();
  await untilMeasured(stack, uuid);
  return { before, after, holdUntil: null };
}

async function start({ client }: TestStack, uuid: string, options: object): Promise<void> {
  await dataOf(client.api.POST('/v1/action_plans/{ident}/start', { ...identOf(uuid), body: options as never }));
}

/** Makes the plan older than plans may become, and runs the task that ends such plans. */
async function supersede(stack: TestStack, uuid: string): Promise<void> {
  const { client, sql } = stack;
  await sql(`UPDATE action_plans SET created_at = created_at - interval '90 days' WHERE uuid = $1`, [uuid]);
  await callInternal(stack, 'POST', '/tasks', { name: 'expire-action-plans' });
  const deadline = Date.now() + waits.timeoutMs;
  while ((await client.get('action_plans', uuid)).state !== 'SUPERSEDED') {
    if (Date.now() > deadline) throw new Error(`plan ${uuid} was not superseded`);
    await pause();
  }
}

/** Until an action of the plan runs, or the plan has ended. */
async function untilRunning({ client }: TestStack, uuid: string): Promise<void> {
  const deadline = Date.now() + waits.timeoutMs;
  while (Date.now() < deadline) {
    const actions = await client.list('actions', { filters: { action_plan_uuid: uuid } });
    if (actions.some(({ state }) => state !== 'PENDING')) return;
    await pause();
  }
  throw new Error(`no action of plan ${uuid} has started`);
}

/** Until an applier has stored why the plan waits. */
async function untilHeld({ client }: TestStack, uuid: string): Promise<void> {
  const deadline = Date.now() + waits.timeoutMs;
  while (!(await client.get('action_plans', uuid)).status_message?.includes('window')) {
    if (Date.now() > deadline) throw new Error(`plan ${uuid} does not wait for its window`);
    await pause();
  }
}

/**
 * Until the effect is measured. A measurement with a long window is made immediately, as if the plan had ended
 * earlier.
 */
async function untilMeasured(stack: TestStack, uuid: string): Promise<void> {
  const { client } = stack;
  const deadline = Date.now() + waits.timeoutMs;
  let isAnew = false;
  let known: object | undefined;
  while (Date.now() < deadline) {
    const { outcome } = await dataOf(client.api.GET('/v1/action_plans/{ident}/outcome', identOf(uuid)));
    const measurement = outcome?.measurement;
    known = measurement;
    if (measurement?.state !== 'MEASURING' && measurement?.state !== 'PENDING') return;
    if (Date.parse(measurement.due_at ?? '') > Date.now() + patienceMs) {
      if (!isAnew) await stack.measureAnew(longestWindowMinutes);
      isAnew = true;
      await stack.sql(endEarlier, [uuid, longestWindowMinutes]);
    }
    await pause();
  }
  throw new Error(`the effect of plan ${uuid} was not measured: ${JSON.stringify(known)}`);
}

const endEarlier = `UPDATE plan_measurements
  SET not_before = requested_at - $2 * interval '1 minute', due_at = clock_timestamp()
  WHERE plan_id = (SELECT id FROM action_plans WHERE uuid = $1) AND phase = 'after' AND state = 'DUE'`;

const pause = () => new Promise((resolve) => setTimeout(resolve, waits.pollMs));
