import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, it } from 'vitest';
import { silentLogger as logger } from '#libs/domain';
import { importWatcher, readWatcher, type Store } from '#libs/store';
import { createTestDatabase, useStore } from '#tests';
import { readDump } from './read-dump.ts';

/** A `mysqldump` of the database of Debian's Watcher 9.0.0 after some audits, plans and deletions. */
const peerDump = fileURLToPath(new URL('./testing/watcher-9-mysqldump.sql', import.meta.url));

let databaseUrl: string;
let store: Store;
beforeEach(async () => {
  ({ store, url: databaseUrl } = await useStore());
});

const all = { showDeleted: true };

it("imports the database of Debian's Watcher", async () => {
  const tables = await readWatcher(peerDump, { logger });
  await importWatcher(databaseUrl, tables, { dryRun: true, logger });
  expect(await store.db.goals.list(all)).toEqual([]);

  const { imported } = await importWatcher(databaseUrl, tables, { logger });
  expect(imported).toEqual({
    goals: 10,
    strategies: 16,
    scoring_engines: 4,
    audit_templates: 2,
    audits: 4,
    action_plans: 6,
    actions: 24,
    efficacy_indicators: 3,
  });
  const [template] = await store.db.auditTemplates.list();
  expect(template).toMatchObject({
    name: 'at1',
    description: 'it\'s a "quoted" name; with \\ back',
    goalName: 'dummy',
    strategyName: 'dummy',
    createdAt: new Date('2026-11-21T02:29:24Z'),
  });
  expect((await store.db.auditTemplates.list(all)).map(({ id, deleted }) => deleted === 0 || deleted === id)).toEqual([
    true,
    true,
  ]);
  const audits = await store.db.audits.list();
  expect(audits.map(({ name, state, interval }) => [name, state, interval])).toEqual([
    ['first', 'SUCCEEDED', null],
    ['cron', 'ONGOING', '*/5 * * * *'],
    ['basic', 'SUCCEEDED', null],
  ]);
  const [plan] = await store.db.actionPlans.list({ filters: [{ field: 'auditName', value: 'first' }] });
  const actions = await store.db.actions.listByPlan(plan?.uuid ?? '');
  expect(plan?.state).toBe('SUCCEEDED');
  expect(actions.map(({ actionType, state }) => `${actionType} ${state}`)).toEqual([
    'nop SUCCEEDED',
    'nop SUCCEEDED',
    'sleep SUCCEEDED',
  ]);
  expect(actions[1]).toMatchObject({ parents: [actions[0]?.uuid], inputParameters: { message: 'hello' } });

  const again = await importWatcher(databaseUrl, tables, { logger });
  expect(Object.values(again.imported).every((count) => count === 0)).toBe(true);
});

it('refers to existing goals and strategies of the store', async () => {
  const uuid = '3f1b1c1e-0000-4000-8000-000000000001';
  const own = await store.db.goals.insert({ uuid, name: 'dummy', displayName: 'Dummy', efficacySpecification: [] });
  const { present } = await importWatcher(databaseUrl, await readWatcher(peerDump, { logger }), { logger });
  expect(present.goals).toBe(1);
  expect(await store.db.audits.get('first')).toMatchObject({ goalUuid: own.uuid });
});

type Row = Record<string, string | null>;

/** A database with one goal, one strategy, these audits, and plans of the first one with an action each. */
function tables(audits: Partial<Row>[], plans: Row[] = []): Map<string, Row[]> {
  const actions = plans.map((plan) => ({
    id: plan.id ?? null,
    uuid: id(90 + Number(plan.id)),
    action_plan_id: plan.id ?? null,
    action_type: 'nop',
    state: 'PENDING',
  }));
  return new Map<string, Row[]>([
    ['goals', [{ id: '5', uuid: id(5), name: 'g', display_name: 'G', efficacy_specification: '[]', deleted: '0' }]],
    ['strategies', [{ id: '7', uuid: id(7), name: 's', display_name: 'S', goal_id: '5', parameters_spec: null }]],
    ['audits', audits.map((row) => ({ ...audit, ...row }) as Row)],
    ['action_plans', plans.map((row) => ({ audit_id: '1', strategy_id: '7', ...row }))],
    ['actions', actions],
  ]);
}
const audit: Row = { audit_type: 'ONESHOT', state: 'SUCCEEDED', goal_id: '5', strategy_id: '7' };
const id = (number: number) => `11111111-2222-4333-8444-${String(number).padStart(12, '0')}`;

it('accepts rows of upgraded databases: numeric intervals, duplicate live names, no force', async () => {
  const rows: Partial<Row>[] = [
    { id: '1', uuid: id(1), name: 'same', interval: '60', force: null },
    { id: '2', uuid: id(2), name: 'same' },
    { id: '3', uuid: id(3), name: null, state: 'ONGOING' },
  ];
  await importWatcher(databaseUrl, tables(rows, [{ id: '1', uuid: id(20), state: 'ONGOING' }]), { logger });
  const audits = await store.db.audits.list();
  expect(audits.map(({ name, interval, force, state }) => [name, interval, force, state])).toEqual([
    ['same', '60', false, 'SUCCEEDED'],
    ['same-11111111', null, false, 'SUCCEEDED'],
    [`audit-${id(3)}`, null, false, 'CANCELLED'],
  ]);
  const [plan] = await store.db.actionPlans.list();
  const [action] = await store.db.actions.list();
  expect([plan?.state, action?.state]).toEqual(['CANCELLED', 'CANCELLED']);
  expect(plan?.statusMessage).toMatch(/former system/);
});

it('names hosts of migrations that Watcher stored by the uuids of their nodes', async () => {
  const [node, unknown] = [id(70), id(71)];
  const rows = tables(
    [{ id: '1', uuid: id(1), name: 'maintenance' }],
    [{ id: '1', uuid: id(20), state: 'RECOMMENDED' }],
  );
  const action = (number: number, type: string, parameters: object) => ({
    id: String(number),
    uuid: id(number),
    action_plan_id: '1',
    action_type: type,
    state: 'PENDING',
    input_parameters: JSON.stringify(parameters),
  });
  rows.set('actions', [
    action(90, 'migrate', { source_node: node, resource_id: id(80), destination_node: unknown }),
    action(91, 'change_nova_service_state', { resource_id: node, resource_name: 'compute-4', state: 'disabled' }),
  ]);
  await importWatcher(databaseUrl, rows, { logger });
  const [migration, disabling] = await store.db.actions.list({ sortKey: 'id' });
  expect(migration?.inputParameters).toEqual({
    source_node: 'compute-4',
    resource_id: id(80),
    destination_node: unknown,
  });
  expect(disabling?.inputParameters).toMatchObject({ resource_id: node });
});

it('starts nothing automatically: ONESHOT audits are cancelled, the others wait for their time or webhook', async () => {
  const states: [type: string, state: string][] = [
    ['ONESHOT', 'PENDING'],
    ['ONESHOT', 'FAILED'],
    ['EVENT', 'ONGOING'],
    ['EVENT', 'PENDING'],
    ['CONTINUOUS', 'ONGOING'],
  ];
  const rows = states.map(([audit_type, state], place) => ({ id: `${place}`, uuid: id(place), audit_type, state }));
  await importWatcher(databaseUrl, tables(rows), { logger });
  const imported = (await store.db.audits.list({ sortKey: 'id' })).map(({ state }) => state);
  expect(imported).toEqual(['CANCELLED', 'FAILED', 'PENDING', 'PENDING', 'ONGOING']);
});

it.each([
  [{ id: '9', uuid: 'x' }, 'table audits, row 9: uuid: "x" is not a uuid'],
  [{ id: '9', uuid: id(9), goal_id: '77' }, 'table audits, row 9: goal_id: there is no row with id 77'],
  [{ id: '9', uuid: id(9), parameters: '{oh' }, 'table audits, row 9: parameters: it is not JSON'],
  [{ id: '9', uuid: id(9), start_time: 'soon' }, 'table audits, row 9: start_time: "soon" is not a time'],
])('changes nothing and names the row: %o', async (row, message) => {
  await expect(importWatcher(databaseUrl, tables([row]), { logger })).rejects.toThrow(message);
  expect(await store.db.goals.list()).toEqual([]);
});

it('reads a running PostgreSQL', async () => {
  await importWatcher(databaseUrl, await readWatcher(peerDump, { logger }), { logger });
  const copy = await createTestDatabase();
  try {
    const { imported } = await importWatcher(copy.url, await readWatcher(databaseUrl, { logger }), { logger });
    expect(imported).toMatchObject({ goals: 10, audits: 4, actions: 24 });
  } finally {
    await copy.drop();
  }
});

it('reads dumps of pg_dump, and names the position of a fault', () => {
  const copied = 'COPY public.goals (id, uuid, name) FROM stdin;\n1\tu\ta\\tb\n2\t\\N\tc\n\\.\n';
  expect(readDump(copied).get('goals')).toEqual([
    { id: '1', uuid: 'u', name: 'a\tb' },
    { id: '2', uuid: null, name: 'c' },
  ]);
  const inserted = "INSERT INTO public.goals (id, name) VALUES (1, 'it''s \\n');\n";
  expect(readDump(inserted).get('goals')).toEqual([{ id: '1', name: "it's \\n" }]);
  const short = "CREATE TABLE `goals` (\n  `id` int,\n  `name` text\n);\nINSERT INTO `goals` VALUES (1,'a'),(2);\n";
  expect(() => readDump(short)).toThrow('table goals, row 2: it has 1 values, the table 2 columns');
  expect(() => readDump(`${short.slice(0, -9)}('`)).toThrow(/table goals, row/);
  expect(() => readDump(copied.slice(0, -4))).toThrow('table goals, row');
});

it('reads the same rows from dumps of pg_dump and mysqldump', async () => {
  const tables = await readWatcher(peerDump, { logger });
  const escaped = (value: string | null) =>
    value === null
      ? '\\N'
      : value.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  const copies = [...tables].map(([table, rows]) => {
    const lines = rows.map((row) => `${Object.values(row).map(escaped).join('\t')}\n`);
    return `COPY public.${table} (${Object.keys(rows[0] ?? {}).join(', ')}) FROM stdin;\n${lines.join('')}\\.\n\n`;
  });
  expect(readDump(`-- PostgreSQL database dump\n\n${copies.join('')}`)).toEqual(tables);
});

it('unpacks gzipped dumps, and explains how to convert one of pg_dump to text', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-dump-'));
  const [zipped, custom] = [join(folder, 'a.sql.gz'), join(folder, 'a.dump')];
  try {
    await writeFile(zipped, gzipSync(await readFile(peerDump)));
    await writeFile(custom, 'PGDMP\u0001\u000e');
    expect((await readWatcher(zipped, { logger })).get('actions')).toHaveLength(24);
    await expect(readWatcher(custom, { logger })).rejects.toThrow(`${custom} was made by pg_dump in its own format`);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('refuses other databases', async () => {
  await expect(importWatcher(databaseUrl, new Map(), { logger })).rejects.toThrow('not the database of a Watcher');
  await expect(readWatcher('mysql://h/watcher', { logger })).rejects.toThrow('mysqldump');
  await expect(readWatcher('/no/such/file', { logger })).rejects.toThrow('cannot be read');
});
