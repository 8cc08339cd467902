import { expect, it } from 'vitest';
import type { AuditReport, CurvePoint } from '#libs/domain';
import { createFakeEngine, usualResponses } from '../../../testing/fake-engine.ts';
import { fault, seedCatalogue, seedPlan, useTestApi } from '../../../testing/test-api.ts';

const engineResponses = { ...usualResponses };
const engine = createFakeEngine(engineResponses);
const api = await useTestApi({ bus: engine });
const seed = await seedCatalogue(api.store);

const point = (budget: number, moves: number, chosen = false): CurvePoint => ({
  budget,
  moves,
  gib: moves,
  seconds: moves * 10,
  value: 100 - moves,
  bound: 100 - 2 * moves,
  chosen,
});

const report: AuditReport = {
  strategy: 'dummy',
  hosts: { considered: 2, eligible: 2 },
  instances: { considered: 1, eligible: 1 },
  blocked: [],
  metrics: [],
  modelAgeSeconds: 1,
  modelComplete: true,
  emptyBecause: null,
  notes: [],
  curve: [point(5, 5), point(20, 18, true)],
  timingsMs: {},
};

/** An audit with a curve, and a plan of its larger point. */
async function seedCurve() {
  const { audit, plan } = await seedPlan(api.store, seed);
  const { db } = api.store;
  await db.audits.update(audit.uuid, { report });
  await db.planObjectives.insert(plan.id, { objective: [], budget: 20 });
  const sibling = await db.actionPlans.insert({
    uuid: crypto.randomUUID(),
    auditId: audit.id,
    strategyId: seed.dummy.id,
    globalEfficacy: [],
  });
  await db.planObjectives.insert(sibling.id, { objective: [], budget: 5 });
  return { audit, plan, sibling };
}

it('shows the points of the curve with the plans that were made of them', async () => {
  const { audit, plan, sibling } = await seedCurve();
  const response = await api.get(`/v1/audits/${audit.uuid}/variants`);
  expect(response.statusCode, response.body).toBe(200);
  expect(response.json()).toEqual({
    audit_uuid: audit.uuid,
    variants: [
      { ...point(5, 5), action_plans: [{ uuid: sibling.uuid, state: 'RECOMMENDED' }] },
      { ...point(20, 18, true), action_plans: [{ uuid: plan.uuid, state: 'RECOMMENDED' }] },
    ],
  });
  expect((await api.get(`/v1/audits/${audit.uuid}/report`)).json().report.curve).toHaveLength(2);
});

it.each([20, 18])('has the engine plan the point of %i migrations', async (moves) => {
  const { audit, plan } = await seedCurve();
  engineResponses['audit.plan'] = { action_plan_uuid: plan.uuid };
  const response = await api.send('POST', `/v1/audits/${audit.uuid}/plan`, { moves });
  expect(response.statusCode, response.body).toBe(201);
  expect(response.json()).toMatchObject({ uuid: plan.uuid, state: 'RECOMMENDED' });
  expect(engine.requests.at(-1)).toEqual({ topic: 'audit.plan', body: { audit_uuid: audit.uuid, budget: 20 } });
});

it.each([
  [{ moves: 7 }, 400, /points at 5, 20/],
  [{ moves: 'many' }, 400, /whole number/],
  [{}, 400, /whole number/],
  [{ move: 5 }, 400, /did you mean "moves"/],
])('refuses %j', async (body, status, text) => {
  const { audit } = await seedCurve();
  const refused = fault(await api.send('POST', `/v1/audits/${audit.uuid}/plan`, body));
  expect(refused.status).toBe(status);
  expect(refused.text).toMatch(text);
});

it.each([
  ['conflict', 409],
  ['strategy_failed', 409],
  ['audit_not_found', 404],
  ['model_not_available', 500],
] as const)('responds to %s of the engine with %i', async (code, status) => {
  const { audit } = await seedCurve();
  engineResponses['audit.plan'] = { error: { code, message: 'because' } };
  expect(fault(await api.send('POST', `/v1/audits/${audit.uuid}/plan`, { moves: 5 })).status).toBe(status);
});

it('requests the search status from the engine that runs the audit, and its end', async () => {
  const { audit } = await seedPlan(api.store, seed);
  const { db } = api.store;
  const path = `/v1/audits/${audit.uuid}`;
  expect((await api.get(`${path}/search`)).json()).toEqual({ audit_uuid: audit.uuid, search: null });
  expect(fault(await api.send('POST', `${path}/finish`)).status).toBe(409);

  await db.audits.claim(audit.uuid, { instance: 'engine-7', host: 'host', ttlMs: 60_000 });
  const search = { isFinishing: false, value: 40, bound: 20, moves: 12, work: 5, budget: 10, starts: 1 };
  engineResponses['audit.search.engine-7'] = ({ op }) => ({ search: { ...search, isFinishing: op === 'finish' } });
  expect((await api.get(`${path}/search`)).json().search).toMatchObject({ value: 40, bound: 20, is_finishing: false });
  const finished = await api.send('POST', `${path}/finish`);
  expect(finished.statusCode, finished.body).toBe(202);
  expect(finished.json().search.is_finishing).toBe(true);
  expect(fault(await api.send('POST', `${path}/finish`, { now: true })).status).toBe(400);
  engineResponses['audit.search.engine-7'] = { search: null };
  expect(fault(await api.send('POST', `${path}/finish`)).status).toBe(409);
});

it('starting a plan cancels the other sizes of it, and nothing else', async () => {
  const { audit, plan, sibling } = await seedCurve();
  const { db } = api.store;
  const { plan: foreign } = await seedCurve();
  const apart = await db.actionPlans.insert({
    uuid: crypto.randomUUID(),
    auditId: audit.id,
    strategyId: seed.dummy.id,
    globalEfficacy: [],
  });
  expect((await api.send('POST', `/v1/action_plans/${plan.uuid}/start`)).statusCode).toBe(200);
  expect(await db.actionPlans.get(sibling.uuid)).toMatchObject({
    state: 'CANCELLED',
    statusMessage: `Another size of it, action plan ${plan.uuid}, was started.`,
  });
  expect((await db.actionPlans.get(apart.uuid)).state).toBe('RECOMMENDED');
  expect((await db.actionPlans.get(foreign.uuid)).state).toBe('RECOMMENDED');
});

it('a start refuses a plan with too little of its gain left, unless it is forced', async () => {
  const { plan } = await seedCurve();
  engineResponses['plan.gain'] = { left: 0.3, promised: 10, now: 3 };
  const start = (body?: object) => api.send('POST', `/v1/action_plans/${plan.uuid}/start`, body);
  const refused = fault(await start());
  expect(refused).toMatchObject({ status: 409, text: expect.stringContaining('force_stale') });
  expect((await api.store.db.actionPlans.get(plan.uuid)).state).toBe('RECOMMENDED');
  expect(engine.requests.at(-1)).toEqual({ topic: 'plan.gain', body: { plan_uuid: plan.uuid } });

  const patch = [{ op: 'replace', path: '/state', value: 'PENDING' }];
  expect((await api.send('PATCH', `/v1/action_plans/${plan.uuid}`, patch)).statusCode).toBe(409);
  expect((await api.store.db.actionPlans.get(plan.uuid)).state).toBe('RECOMMENDED');
  expect((await start({ force_stale: true })).statusCode).toBe(200);
});

it.each([
  ['enough is left', { left: 0.5, promised: 10, now: 5 }],
  ['it cannot be told', { left: null }],
  ['the engine refuses', { error: { code: 'model_not_available', message: 'away' } }],
])('a plan starts when %s', async (_, prepare) => {
  const { plan } = await seedCurve();
  engineResponses['plan.gain'] = prepare;
  expect((await api.send('POST', `/v1/action_plans/${plan.uuid}/start`)).json()).toMatchObject({ state: 'PENDING' });
});

it('of two sizes that are started at the same moment one starts', async () => {
  const { plan, sibling } = await seedCurve();
  const responses = await Promise.all(
    [plan, sibling].map(({ uuid }) => api.send('POST', `/v1/action_plans/${uuid}/start`)),
  );
  const codes = responses.map(({ statusCode }) => statusCode).sort();
  // The later request is refused by the state it reads, or by its conditional update when it read first.
  expect(codes).toEqual([200, expect.toBeOneOf([400, 409])]);
  const states = await Promise.all(
    [plan, sibling].map(async ({ uuid }) => (await api.store.db.actionPlans.get(uuid)).state),
  );
  expect(states.sort()).toEqual(['CANCELLED', 'PENDING']);
});
