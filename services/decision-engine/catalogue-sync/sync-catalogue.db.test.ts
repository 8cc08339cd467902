import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import type { GoalPlugin, StrategyPlugin } from '#libs/plugin-kit';
import type { Store } from '#libs/store';
import { insertActionPlan, insertAudit, useStore } from '#tests';
import { syncCatalogue } from './sync-catalogue.ts';

let store: Store;

beforeEach(async () => {
  ({ store } = await useStore());
});

const goal = (change: Partial<GoalPlugin> = {}): GoalPlugin => ({
  kind: 'goal',
  name: 'balance',
  displayName: 'Balance',
  indicators: [{ name: 'moves', description: 'Moves', unit: null, required: true, schema: { type: 'integer' } }],
  globalEfficacy: () => [],
  ...change,
});

const strategy = (change: Partial<StrategyPlugin['manifest']> = {}): StrategyPlugin => ({
  manifest: {
    kind: 'strategy',
    name: 'spread',
    displayName: 'Spread',
    goal: 'balance',
    description: 'Spreads.',
    parameters: { type: 'object', properties: {} },
    metrics: [],
    models: ['compute'],
    planner: 'resource',
    needsCompleteModel: false,
    ...change,
  },
  run: () => Promise.reject(new Error('not run here')),
});

const deps = { newUuid: randomUUID, logger: silentLogger };

test('creates new entries and does not change equal ones', async () => {
  const first = await syncCatalogue(store, { goals: [goal()], strategies: [strategy()] }, deps);
  const before = await store.db.strategies.get('spread');
  const second = await syncCatalogue(store, { goals: [goal()], strategies: [strategy()] }, deps);

  expect(first).toEqual({ created: ['goal balance', 'strategy spread'], changed: [], removed: [] });
  expect(second).toEqual({ created: [], changed: [], removed: [] });
  expect(await store.db.strategies.get('spread')).toEqual(before);
  expect((await store.db.goals.get('balance')).efficacySpecification).toEqual([
    { name: 'moves', description: 'Moves', unit: null, schema: '{"type":"integer"}' },
  ]);
});

test('engines that start together do not collide', async () => {
  const results = await Promise.all(
    [1, 2, 3, 4].map(() => syncCatalogue(store, { goals: [goal()], strategies: [strategy()] }, deps)),
  );

  expect(results.filter(({ created }) => created.length > 0)).toHaveLength(1);
  expect(await store.db.goals.list()).toHaveLength(1);
});

test('a changed goal and strategy keep their uuids, and with them templates, audits and plans', async () => {
  await syncCatalogue(store, { goals: [goal()], strategies: [strategy()] }, deps);
  const old = await store.db.strategies.get('spread');
  const template = await store.db.auditTemplates.insert({
    uuid: randomUUID(),
    name: 'nightly',
    goalId: old.goalId,
    strategyId: old.id,
  });
  const finished = await insertAudit(store.db, old, () => ({ state: 'SUCCEEDED' }));
  const recommended = await insertActionPlan(store.db, finished, old);

  const parameters = { type: 'object', properties: { x: { type: 'number', default: 1 } } };
  const changed = { goals: [goal({ displayName: 'Even load' })], strategies: [strategy({ parameters })] };
  const result = await syncCatalogue(store, changed, deps);

  expect(result).toEqual({ created: [], changed: ['goal balance', 'strategy spread'], removed: [] });
  expect(await store.db.goals.get('balance')).toMatchObject({ id: old.goalId, displayName: 'Even load' });
  expect(await store.db.strategies.get('spread')).toMatchObject({ uuid: old.uuid, parametersSpec: parameters });
  expect(await store.db.auditTemplates.get(template.uuid)).toMatchObject({ strategyName: 'spread', updatedAt: null });
  expect(await store.db.audits.get(finished.uuid)).toMatchObject({ goalName: 'balance', strategyName: 'spread' });
  expect(await store.db.actionPlans.get(recommended.uuid)).toMatchObject({
    state: 'RECOMMENDED',
    strategyName: 'spread',
  });
});

test('a strategy that serves another goal takes templates and unfinished audits along', async () => {
  await syncCatalogue(store, { goals: [goal()], strategies: [strategy()] }, deps);
  const old = await store.db.strategies.get('spread');
  const { goalId } = old;
  const template = await store.db.auditTemplates.insert({
    uuid: randomUUID(),
    name: 'nightly',
    goalId,
    strategyId: old.id,
  });
  const waiting = await insertAudit(store.db, old);
  const finished = await insertAudit(store.db, old, () => ({ state: 'SUCCEEDED' }));

  const goals = [goal(), goal({ name: 'rest', displayName: 'Rest' })];
  await syncCatalogue(store, { goals, strategies: [strategy({ goal: 'rest' })] }, deps);

  const { id } = await store.db.goals.get('rest');
  expect(await store.db.strategies.get('spread')).toMatchObject({ uuid: old.uuid, goalId: id });
  expect(await store.db.auditTemplates.get(template.uuid)).toMatchObject({ goalId: id, strategyId: old.id });
  expect(await store.db.audits.get(waiting.uuid)).toMatchObject({ goalId: id, state: 'PENDING' });
  expect(await store.db.audits.get(finished.uuid)).toMatchObject({ goalId, state: 'SUCCEEDED' });
});

test('a removed strategy frees its templates and cancels waiting audits', async () => {
  await syncCatalogue(store, { goals: [goal()], strategies: [strategy()] }, deps);
  const old = await store.db.strategies.get('spread');
  const template = await store.db.auditTemplates.insert({
    uuid: randomUUID(),
    name: 'nightly',
    goalId: old.goalId,
    strategyId: old.id,
  });
  const waiting = await insertAudit(store.db, old);
  const finished = await insertAudit(store.db, old, () => ({ state: 'SUCCEEDED' }));
  const recommended = await insertActionPlan(store.db, finished, old);

  const result = await syncCatalogue(store, { goals: [goal()], strategies: [] }, deps);

  expect(result.removed).toEqual(['strategy spread']);
  expect((await store.db.auditTemplates.get(template.uuid)).strategyId).toBeNull();
  expect(await store.db.audits.get(waiting.uuid)).toMatchObject({
    state: 'CANCELLED',
    statusMessage: 'Strategy spread is no longer available.',
  });
  expect(await store.db.actionPlans.get(recommended.uuid)).toMatchObject({
    state: 'CANCELLED',
    statusMessage: 'Strategy spread is no longer available.',
  });
  expect(await store.db.strategies.find('spread')).toBeNull();
});

test('scoring engines follow the plugins too', async () => {
  const engine = (name: string, description: string) => ({
    kind: 'scoring_engine' as const,
    name,
    description,
    metainfo: '{}',
    calculateScore: () => '',
  });
  const sync = (scoringEngines: ReturnType<typeof engine>[]) =>
    syncCatalogue(store, { goals: [], strategies: [], scoringEngines }, deps);

  expect(await sync([engine('a', 'A'), engine('b', 'B')])).toMatchObject({
    created: ['scoring engine a', 'scoring engine b'],
  });
  const first = await store.db.scoringEngines.get('a');
  const b = await store.db.scoringEngines.get('b');
  const second = await sync([engine('a', 'A'), engine('b', 'better')]);

  expect(second).toEqual({ created: [], changed: ['scoring engine b'], removed: [] });
  expect(await store.db.scoringEngines.get('a')).toEqual(first);
  expect(await store.db.scoringEngines.get('b')).toMatchObject({ uuid: b.uuid, description: 'better', metainfo: '{}' });
  expect(await sync([])).toMatchObject({ removed: ['scoring engine a', 'scoring engine b'] });
  expect(await store.db.scoringEngines.list()).toEqual([]);
});

test('the entries of a broken plugin stay unchanged', async () => {
  const scoringEngine = {
    kind: 'scoring_engine' as const,
    name: 'a',
    description: 'A',
    metainfo: '',
    calculateScore: () => '',
  };
  await syncCatalogue(store, { goals: [goal()], strategies: [strategy()], scoringEngines: [scoringEngine] }, deps);
  const waiting = await insertAudit(store.db, await store.db.strategies.get('spread'));

  const result = await syncCatalogue(store, { goals: [], strategies: [] }, { ...deps, keepMissing: true });

  expect(result).toEqual({ created: [], changed: [], removed: [] });
  expect(await store.db.audits.get(waiting.uuid)).toMatchObject({ state: 'PENDING', statusMessage: null });
});
