import { expect, it } from 'vitest';
import { insertAction, insertActionPlan, insertPlanWorld, runSql } from '#tests';
import { createFakeEngine, usualResponses } from '../../../testing/fake-engine.ts';
import { fault, useTestApi } from '../../../testing/test-api.ts';

const now = Date.parse('2026-12-05T12:00:00Z');
const responses = { ...usualResponses };
const engine = createFakeEngine(responses);
const api = await useTestApi({ bus: engine, clock: { now: () => now } });
const { db } = api.store;
const november = '?from=2026-11-01&to=2026-12-01T00:00:00Z';
const read = (query = november, headers?: Record<string, string>) => api.get(`/v1/report${query}`, headers);

const other = '11111111-1111-4111-8111-111111111111';
const promise = { quantity: 'duration', low: 60, high: 90, achieved: 70, verdict: 'WITHIN', reason: null };
const world = await insertPlanWorld(db, {
  actions: 0,
  plan: () => ({ state: 'SUCCEEDED', launchSeq: 1, outcome: { promises: [promise] } }),
});
const add = (day: string, row: object) => {
  const at = new Date(`2026-${day}T01:00:00Z`);
  const move = { actionType: 'migrate', inputParameters: { resource_id: other }, startedAt: at, endedAt: at };
  return insertAction(db, world.plan, () => ({ ...move, ...row }));
};
await add('11-01', { state: 'SUCCEEDED' });
await add('11-30', { state: 'SUCCEEDED' });
await add('11-30', { state: 'FAILED', refusal: 'no_valid_host' });
await add('10-31', { state: 'SUCCEEDED' });
await add('10-31', { state: 'FAILED', refusal: 'locked' });
const plan = (row: object) => insertActionPlan(db, world.audit, world.strategy, () => row);
const expired = { state: 'SUPERSEDED', statusMessage: 'Not started within 24 hours; the cluster has moved on.' };
await plan(expired);
const lastExpired = await plan(expired);
const replaced = await plan({ state: 'CANCELLED', statusMessage: `Replaced by plan ${other}` });
const waiting = await plan({ state: 'RECOMMENDED', approval: 'wanted', approvalReason: 'it moves 40 instances' });
const empty = await plan({ state: 'SUCCEEDED' });
// Plans of Watcher have no number of starts.
await plan({ state: 'FAILED', statusMessage: 'One or more actions failed' });
const halfway = await plan({ state: 'CANCELLED' });
await insertAction(db, halfway, () => ({ state: 'SUCCEEDED' }));
await plan({ state: 'ONGOING', paused: true, launchSeq: 1 });
await plan({ state: 'ONGOING', launchSeq: 1 });
const late = await plan({ state: 'RECOMMENDED' });
await runSql(
  api.databaseUrl,
  `ALTER TABLE action_plans DISABLE TRIGGER USER;
   UPDATE action_plans SET created_at = '2026-11-15T00:00:00Z', updated_at = '2026-11-30T02:00:00Z';
   UPDATE action_plans SET created_at = '2026-12-01T00:00:00Z' WHERE uuid = '${late.uuid}';
   INSERT INTO plan_totals SELECT '${world.audit.uuid}', 's', day::date, 'FAILED', 3, 9, 0, 3
   FROM unnest(ARRAY['2026-10-31', '2026-11-01', '2026-11-30', '2026-12-01']) AS day`,
);

it('counts plans made in the period by state, also those that retention removed', async () => {
  const { plans, from, to, made_at: madeAt } = (await read()).json();
  expect([from, to, madeAt]).toEqual([
    ...['2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
    new Date(now).toISOString(),
  ]);
  expect(plans).toEqual({
    made: 16,
    by_state: [
      { state: 'FAILED', plans: 7, paused: 0, removed: 6 },
      { state: 'CANCELLED', plans: 2, paused: 0, removed: 0 },
      { state: 'ONGOING', plans: 2, paused: 1, removed: 0 },
      { state: 'SUCCEEDED', plans: 2, paused: 0, removed: 0 },
      { state: 'SUPERSEDED', plans: 2, paused: 0, removed: 0 },
      { state: 'RECOMMENDED', plans: 1, paused: 0, removed: 0 },
    ],
    partial: 1,
    without_actions: 1,
  });
  expect(empty.state).toBe('SUCCEEDED');
});

it('counts moves and refusals by their end, and promises by the end of the plan', async () => {
  const { moves, refusals, promises } = (await read()).json();
  expect(moves).toEqual({ succeeded: 2, failed: 1, hosts_freed: 0 });
  expect(refusals).toEqual([{ reason: 'no_valid_host', text: 'no valid host was found', actions: 1 }]);
  expect(promises).toMatchObject([{ strategy_name: world.strategy.name, quantity: 'duration', within: 1, above: 0 }]);
  const { promises: before, moves: october } = (await read('?from=2026-10-01&to=2026-11-01')).json();
  expect([before, october.succeeded]).toEqual([[], 1]);
});

it('groups plans that were never started by their reason, without uuids', async () => {
  const { unstarted } = (await read()).json();
  expect(unstarted).toEqual([
    { state: 'SUPERSEDED', approval: null, reason: expired.statusMessage, plans: 2, newest: lastExpired.uuid },
    { state: 'CANCELLED', approval: null, reason: 'Replaced by plan …', plans: 1, newest: replaced.uuid },
    {
      ...{ state: 'RECOMMENDED', approval: 'wanted', reason: 'it moves 40 instances' },
      plans: 1,
      newest: waiting.uuid,
    },
  ]);
});

it('has energy and fullest hosts of the period until now, or the reason why not', async () => {
  const { energy, fullest } = (await read('?from=2026-12-01')).json();
  expect(energy).toMatchObject({ hours: 108, hosts: 2, error: null });
  expect(energy.kwh).toBeGreaterThan(0);
  expect(fullest.hosts.map(({ hostname }: { hostname: string }) => hostname)).toEqual(['h1', 'h2']);
  const request = engine.requests.find(({ topic }) => topic === 'history.fullest');
  expect(request?.body).toMatchObject({ end: Date.parse('2026-12-01T00:00:00Z') / 1000, limit: 10 });
  responses['history.fullest'] = { error: { code: 'history_not_available', message: 'no source' } };
  responses['history.spread'] = { error: { code: 'history_not_available', message: 'no source' } };
  const without = await read();
  expect(without.json()).toMatchObject({
    energy: { kwh: null, hours: 720, measured_hours: 0, error: expect.stringContaining('no source') },
    fullest: { hosts: [], error: expect.stringContaining('no source') },
    moves: { succeeded: 2 },
  });
});

it('fails for a response that it cannot read, instead of writing a defect as the reason', async () => {
  const { 'history.spread': usual } = responses;
  responses['history.spread'] = {};
  expect((await read()).statusCode).toBe(500);
  responses['history.spread'] = usual ?? {};
});

it('reads two reports of two users concurrently, and refuses the sixth of one user', async () => {
  const { 'history.spread': usual } = responses;
  const held: (() => void)[] = [];
  // The request waits for the response of this function.
  responses['history.spread'] = () => new Promise<object>((resolve) => held.push(() => resolve(usual ?? {})));
  const readOf = (user: string) => read(november, { 'X-User-Id': user });
  const reports = [...Array.from({ length: 5 }, () => readOf('mallory')), readOf('ann'), readOf('carl')];
  await expect.poll(() => held.length).toBe(2);
  const refused = await readOf('mallory');
  expect(fault(refused)).toEqual({
    status: 429,
    text: 'At most 5 reports of one user run or wait at once; try again later',
  });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(held).toHaveLength(2);
  responses['history.spread'] = usual ?? {};
  for (const release of held) release();
  expect((await Promise.all(reports)).map(({ statusCode }) => statusCode)).toEqual(Array(7).fill(200));
});

it.each([
  ['?from=2026-11', 'A time in ISO 8601 with offset is needed'],
  ['?from=2026-11-01T00:00:00', 'A time in ISO 8601 with offset is needed'],
  ['?from=2027-01-01&to=2027-02-01', 'It is in the future'],
  ['?from=2026-11-02&to=2026-11-02', 'It must be after the start'],
  ['?from=2025-01-01', 'The period is longer than 366 days'],
  ['?to=0001-01-01', 'It is before 1970'],
  ['?month=11', 'Unknown argument: "month"'],
])('refuses %j with 400 that says why', async (query, text) => {
  expect(fault(await read(query))).toEqual({ status: 400, text: expect.stringContaining(text) });
});

it('requires its own rule', async () => {
  expect(fault(await read('', { 'X-Roles': 'member' }))).toEqual({
    status: 403,
    text: "Policy doesn't allow report:get to be performed.",
  });
});
