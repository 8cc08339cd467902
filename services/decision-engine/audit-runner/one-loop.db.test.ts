// @needs build
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AuditView } from '#libs/store';
import { insertActionPlan } from '#tests';
import { type EngineOptions, useTestEngines } from '../testing/test-engines.ts';

const engines = await useTestEngines();
const { store } = engines;
beforeEach(() => engines.reset());
afterEach(async () => {
  await engines.stopRunners();
  for (const audit of await store.db.audits.list({
    filters: [{ field: 'state', op: 'in', value: ['PENDING', 'ONGOING'] }],
  }))
    await store.db.audits.transition(audit.uuid, 'cancel');
});

/** The audit after one run. */
async function runOnce(audit: AuditView, options: EngineOptions = {}): Promise<AuditView> {
  const { runner, lease } = engines.start(options);
  await runner.submit(() => store.db.audits.claim(audit.uuid, lease));
  return engines.until(audit.uuid, ({ report, statusMessage }) => report !== null || statusMessage !== null);
}

const continuous = (strategy: string) =>
  engines.newAudit(strategy, { auditType: 'CONTINUOUS', interval: '3600', name: `${strategy}-${crypto.randomUUID()}` });

/** A migration of the instance that a plan of the audit has just made. */
async function justMoved(uuid: string, audit: AuditView): Promise<void> {
  const strategy = await store.db.strategies.get('basic');
  const plan = await insertActionPlan(store.db, audit, strategy, () => ({ state: 'ONGOING' }));
  const action = await store.db.actions.insert({
    uuid: crypto.randomUUID(),
    actionPlanId: plan.id,
    actionType: 'migrate',
    inputParameters: { resource_id: uuid, source_node: 'x', destination_node: 'y' },
  });
  await store.db.actions.transition(action.uuid, 'begin');
  await store.db.actions.transition(action.uuid, 'succeed', { set: { endedAt: await store.db.now() } });
  await store.db.actionPlans.transition(plan.uuid, 'succeed');
}

test('the report of an audit names one that undoes it on the same hosts', async () => {
  const older = await continuous('basic');
  const younger = await runOnce(await continuous('workload_stabilization'));
  expect(younger.report?.notes).toContainEqual(expect.stringContaining(`audit ${older.name} packs instances`));
});

test('an audit does not move instances that an opposite audit has moved', async () => {
  const [first] = engines.world.snapshot.instanceInfo;
  const older = await continuous('basic');
  await justMoved(first!.uuid, older);
  engines.world.snapshot = { ...engines.world.snapshot, takenAtMs: Date.now() };
  const younger = await runOnce(await continuous('workload_stabilization'), { oppositeRestMs: 3_600_000 });
  expect(younger.report?.notes).toContainEqual(
    expect.stringContaining(
      'left alone after moves: vm-0 (moved once in the last day, by an audit with the opposite aim',
    ),
  );
});

test('of two audits that undo each other the older one runs, where they are refused', async () => {
  const [older, younger] = [await continuous('basic'), await continuous('workload_stabilization')];
  const refused = await runOnce(younger, { oppositeAudits: 'refuse' });
  expect(refused).toMatchObject({ failedRuns: 1, statusMessage: expect.stringContaining(`audit ${older.name} packs`) });
  const run = await runOnce(older, { oppositeAudits: 'refuse' });
  expect(run).toMatchObject({ failedRuns: 0 });
  expect(run.report?.notes).toContainEqual(expect.stringContaining(`audit ${younger.name} spreads load`));
});

test('of two audits that undo each other the younger one has both aims, where they are merged', async () => {
  const [older, younger] = [await continuous('basic'), await continuous('workload_stabilization')];
  const run = await runOnce(younger, { oppositeAudits: 'merge' });
  expect(run).toMatchObject({ failedRuns: 0, report: { strategy: 'placement_optimizer' } });
  expect(run.report?.notes).toContainEqual(expect.stringMatching(`audit ${older.name} packs .* with both aims`));
  expect(run.report?.objective?.map(({ term }) => term)).toEqual(
    expect.arrayContaining(['hosts_in_use', 'near_limit']),
  );
  expect((await runOnce(older, { oppositeAudits: 'merge' })).report?.strategy).toBe('basic');
});

test('an audit whose aim cannot be merged does not run while an older opposite audit exists', async () => {
  await continuous('basic');
  const refused = await runOnce(await continuous('allocation_balance'), { oppositeAudits: 'merge' });
  const because = expect.stringContaining('cannot be merged because of allocation_balance');
  expect(refused).toMatchObject({ failedRuns: 1, statusMessage: because });
});

test('an audit leaves an instance alone whose moves by other audits are used up, and reports the count', async () => {
  const [first] = engines.world.snapshot.instanceInfo;
  const other = await engines.newAudit('basic');
  for (let moves = 0; moves < 3; moves += 1) await justMoved(first!.uuid, other);
  engines.world.snapshot = { ...engines.world.snapshot, takenAtMs: Date.now() };
  const audit = await runOnce(await continuous('workload_stabilization'), { instanceMovesPerDay: 3 });
  expect(audit.report?.notes).toContainEqual(
    expect.stringMatching(/1 instance is left alone after moves: vm-0 \(moved \d times in the last day, until /),
  );
  const plans = await store.db.actionPlans.list({ filters: [{ field: 'auditId', value: audit.id }] });
  const actions = await store.db.actions.listByPlan(plans[0]!.uuid);
  expect(actions.length).toBeGreaterThan(0);
  expect(actions.map(({ inputParameters }) => inputParameters.resource_id)).not.toContain(first!.uuid);
});

test('an audit moves no more instances than the budget of the cloud has left, and reports it', async () => {
  const used = (await store.db.recentMoves.list(3600, [])).length;
  const audit = await runOnce(await continuous('workload_stabilization'), { cloudMovesPerHour: used + 1 });
  const plans = await store.db.actionPlans.list({ filters: [{ field: 'auditId', value: audit.id }] });
  expect(await store.db.actions.listByPlan(plans[0]!.uuid)).toHaveLength(1);
  expect(audit.report?.blocked).toContainEqual(expect.objectContaining({ constraint: 'move-budget' }));
});
