import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, test } from 'vitest';
import {
  insertAction,
  insertActionPlan,
  insertAudit,
  insertGoal,
  insertPlanWorld,
  insertStrategy,
  useStore,
} from '#tests';
import type { Filter, FilterOperator, ListQuery } from '../list-query.ts';
import type { AuditView } from '../types.ts';

/** Five audits of one goal: a to e, with the hostnames 2, 1, none, 1 and 2. */
const { store, url } = await useStore();
const goal = await insertGoal(store.db, () => ({ name: 'server_consolidation' }));
const goalUuid = goal.uuid;
const strategy = await insertStrategy(store.db, goal);
const audits: AuditView[] = [];
for (const [name, hostname] of [
  ['a', 'two'],
  ['b', 'one'],
  ['c', null],
  ['d', 'one'],
  ['e', 'two'],
] as const) {
  audits.push(
    await insertAudit(store.db, strategy, () => ({ name, hostname, strategyId: name === 'c' ? null : strategy.id })),
  );
}

const namesOf = (rows: { name: string }[]) => rows.map((row) => row.name).join('');

async function listNames(query: ListQuery<AuditView>): Promise<string> {
  return namesOf(await store.db.audits.list(query));
}

test('ids are numbers, times are dates, json is parsed, and the view has the names of references', async () => {
  const audit = await store.db.audits.get(audits[0]?.uuid ?? '');
  expect(audit.id).toBeTypeOf('number');
  expect(audit.createdAt).toBeInstanceOf(Date);
  expect(audit).toMatchObject({ parameters: {}, scope: [], goalUuid, goalName: 'server_consolidation', deleted: 0 });
  expect(audit.strategyUuid).toMatch(/^[0-9a-f-]{36}$/);
  expect(await store.db.audits.get('c')).toMatchObject({ strategyUuid: null, strategyName: null });
});

test('a row is found by uuid or name, and a missing one is reported by name', async () => {
  expect(await store.db.audits.find('a')).toMatchObject({ uuid: audits[0]?.uuid });
  expect(await store.db.audits.find('nobody')).toBeNull();
  expect(await store.db.audits.find(randomUUID())).toBeNull();
  expect(await store.db.actionPlans.find('no uuid')).toBeNull();
  expect(await store.db.goals.find('SERVER_Consolidation')).toMatchObject({ name: 'server_consolidation' });
  await expect(store.db.audits.get('nobody')).rejects.toMatchObject({ code: 'not_found', ident: 'nobody' });
  await expect(store.db.audits.get("x'; DROP TABLE audits; --")).rejects.toMatchObject({ code: 'not_found' });
});

test.each<[keyof AuditView & string, FilterOperator | undefined, unknown, string]>([
  ['name', undefined, 'b', 'b'],
  ['name', 'neq', 'b', 'acde'],
  ['name', 'gt', 'b', 'cde'],
  ['name', 'gte', 'b', 'bcde'],
  ['name', 'lt', 'b', 'a'],
  ['name', 'lte', 'b', 'ab'],
  ['name', 'in', ['a', 'e', 'x'], 'ae'],
  ['name', 'in', [], ''],
  ['name', 'notin', ['a', 'e'], 'bcd'],
  ['hostname', 'eq', null, 'c'],
  ['hostname', 'neq', null, 'abde'],
  ['hostname', 'neq', 'one', 'ace'],
  ['hostname', 'notin', ['one'], 'ace'],
  ['goalName', 'eq', 'server_consolidation', 'abcde'],
  ['goalName', 'eq', 'dummy', ''],
  ['uuid', 'eq', 'no uuid', ''],
  ['uuid', 'neq', 'no uuid', 'abcde'],
  ['uuid', 'in', ['no uuid'], ''],
  ['uuid', 'gt', 'no uuid', ''],
  ['strategyUuid', 'eq', null, 'c'],
  ['autoTrigger', 'eq', false, 'abcde'],
  ['attempts', 'gte', 1, ''],
  ['createdAt', 'lt', new Date('2020-01-01'), ''],
])('filter %s %s %j finds "%s"', async (field, op, value, expected) => {
  const filters: Filter<AuditView>[] = [{ field, op, value }];
  expect(await listNames({ filters })).toBe(expected);
  expect(await store.db.audits.count(filters)).toBe(expected.length);
});

test('all filters of a query must hold', async () => {
  const filters: Filter<AuditView>[] = [
    { field: 'hostname', value: 'two' },
    { field: 'name', op: 'gt', value: 'a' },
    { field: 'goalUuid', value: goalUuid },
  ];
  expect(await listNames({ filters })).toBe('e');
});

test('unknown fields, operators and unsuitable values are invalid input', async () => {
  const list = (filter: object) => store.db.audits.list({ filters: [filter as Filter<AuditView>] });
  await expect(list({ field: 'nothing', value: 1 })).rejects.toMatchObject({ code: 'invalid_input', field: 'nothing' });
  await expect(list({ field: 'name', op: 'like', value: 'a' })).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(list({ field: 'name', op: 'in', value: 'a' })).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(list({ field: 'id', value: 'abc' })).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(list({ field: 'name', value: 'a\0' })).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(store.db.audits.list({ sortKey: 'nothing' as 'name' })).rejects.toMatchObject({ field: 'nothing' });
});

test.each<[keyof AuditView & string, 'asc' | 'desc', string]>([
  ['id', 'asc', 'abcde'],
  ['id', 'desc', 'edcba'],
  ['name', 'desc', 'edcba'],
  ['hostname', 'asc', 'cbdae'],
  ['hostname', 'desc', 'eadbc'],
  ['createdAt', 'asc', 'abcde'],
  ['goalName', 'asc', 'abcde'],
  ['goalName', 'desc', 'edcba'],
  ['strategyName', 'asc', 'cabde'],
  ['parameters', 'asc', 'abcde'],
  ['nextRunTime', 'asc', 'abcde'],
])('pages by %s %s add up to the whole list', async (sortKey, sortDir, expected) => {
  expect(await listNames({ sortKey, sortDir })).toBe(expected);
  for (const limit of [1, 2, 3]) {
    let pages = '';
    let marker: string | undefined;
    for (;;) {
      const page = await store.db.audits.list({ sortKey, sortDir, limit, marker });
      pages += namesOf(page);
      marker = page.at(-1)?.uuid;
      if (page.length < limit) break;
    }
    expect(pages).toBe(expected);
  }
});

test('the schema of a strategy keeps the order of its keys, and lists can be sorted by it', async () => {
  const goal = await store.db.goals.get('server_consolidation');
  const parametersSpec = { properties: { zz: {}, a: {}, mmm: {} }, additionalProperties: false };
  const strategy = await insertStrategy(store.db, goal, () => ({ name: 'ordered', parametersSpec }));
  expect(JSON.stringify(strategy.parametersSpec)).toBe(JSON.stringify(parametersSpec));
  const [first, second] = await store.db.strategies.list({ sortKey: 'parametersSpec', sortDir: 'asc' });
  expect(Object.keys(first ?? {})).not.toContain('sortText');
  expect(
    await store.db.strategies.list({ sortKey: 'parametersSpec', sortDir: 'asc', marker: first?.uuid ?? '' }),
  ).toEqual([second]);
});

test('an unknown marker is reported', async () => {
  const marker = randomUUID();
  await expect(store.db.audits.list({ marker })).rejects.toMatchObject({ code: 'not_found', ident: marker });
  await expect(store.db.audits.list({ marker: 'x' })).rejects.toMatchObject({ code: 'not_found' });
});

test('plans and actions have their audit, and actions are listed in order of id', async () => {
  const { audit, strategy, plan, actions } = await insertPlanWorld(store.db, { actions: 3 });
  expect(plan).toMatchObject({
    auditUuid: audit.uuid,
    auditName: audit.name,
    strategyUuid: strategy.uuid,
    strategyName: strategy.name,
    state: 'RECOMMENDED',
    onFailure: 'continue',
    launchSeq: 0,
  });
  const other = await insertActionPlan(store.db, audit, strategy);
  await insertAction(store.db, other);
  const listed = await store.db.actions.listByPlan(plan.uuid);
  expect(listed.map((action) => action.uuid)).toEqual(actions.map((action) => action.uuid));
  expect(listed[1]).toMatchObject({ actionPlanUuid: plan.uuid, auditUuid: audit.uuid, parents: [actions[0]?.uuid] });
  expect(await store.db.actions.count([{ field: 'auditUuid', value: audit.uuid }])).toBe(4);
});

test('a list of 20,000 actions of one plan is read in one query', async () => {
  const { plan } = await insertPlanWorld(store.db, { actions: 0 });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `INSERT INTO actions (uuid, action_plan_id, action_type, input_parameters)
     SELECT gen_random_uuid(), $1, 'nop', '{}' FROM generate_series(1, 20000)`,
    [plan.id],
  );
  await client.end();
  expect(await store.db.actions.listByPlan(plan.uuid)).toHaveLength(20_000);
});
