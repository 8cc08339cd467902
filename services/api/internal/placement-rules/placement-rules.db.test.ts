import { beforeEach, describe, expect, it } from 'vitest';
import { newUuid, readBuildVersion } from '#libs/service-kit';
import { fault, useTestApi } from '../../testing/test-api.ts';

const headers = { 'X-Vigil-Internal-Version': readBuildVersion().split('.')[0] ?? '' };
const path = '/internal/placement-rules';

const api = await useTestApi();
beforeEach(async () => {
  for (const { uuid } of await api.store.db.placementRules.list()) await api.store.db.placementRules.softDelete(uuid);
});

const post = (body: unknown) => api.send('POST', path, body as object, headers);
const patch = (rule: string, body: object) => api.send('PATCH', `${path}/${encodeURIComponent(rule)}`, body, headers);
const list = async () => (await api.get(path, headers)).json().placement_rules;
const apart = { name: 'dbs apart', kind: 'keep_apart', instances: { names: ['db-*'] } };

it('keeps a rule with its defaults, and serves it by uuid and name', async () => {
  const made = await post(apart);
  expect(made.statusCode, made.body).toBe(201);
  const rule = made.json();
  expect(rule).toMatchObject({
    ...apart,
    hosts: null,
    strict: true,
    max_per_host: 1,
    enabled: true,
    description: null,
  });
  expect(made.headers.location).toBe(`${path}/${rule.uuid}`);
  for (const ident of [rule.uuid, 'dbs%20apart'])
    expect((await api.get(`${path}/${ident}`, headers)).json()).toEqual(rule);
  expect(await list()).toEqual([rule]);
});

it('changes only the fields in the body, and another kind gets its own defaults', async () => {
  await post(apart);
  expect((await patch('dbs apart', { max_per_host: 3, enabled: false })).json()).toMatchObject({
    max_per_host: 3,
    enabled: false,
    strict: true,
    instances: apart.instances,
  });
  const preferred = await patch('dbs apart', { kind: 'prefer_hosts', hosts: { aggregates: ['ssd'] } });
  expect(preferred.json()).toMatchObject({ strict: false, max_per_host: null, hosts: { aggregates: ['ssd'] } });
  expect(fault(await patch('nothing', {})).status).toBe(404);
});

it('keeps one instance by its uuid, as canonical text', async () => {
  const uuid = '6A3F6E5027B14E8C9D0E4A58A5B8F001';
  const kept = await post({ name: 'kept', kind: 'leave_alone', instances: { uuids: [uuid] } });
  expect(kept.json().instances).toEqual({ uuids: ['6a3f6e50-27b1-4e8c-9d0e-4a58a5b8f001'] });
});

it('a name that is a number stands for the rule of that name, never for another by its place in the table', async () => {
  await post(apart);
  const id = (await api.store.db.placementRules.list())[0]?.id;
  expect((await api.get(`${path}/${id}`, headers)).statusCode).toBe(404);
  expect((await api.send('DELETE', `${path}/${id}`, undefined, headers)).statusCode).toBe(404);
  expect((await post({ ...apart, name: String(id) })).statusCode).toBe(201);
  expect((await patch(String(id), { max_per_host: 7 })).json().name).toBe(String(id));
  expect((await api.send('DELETE', `${path}/${id}`, undefined, headers)).statusCode).toBe(204);
  expect((await list()).map(({ name }: { name: string }) => name)).toEqual([apart.name]);
});

it('removes a rule, and its name is free again', async () => {
  await post(apart);
  expect((await post(apart)).statusCode).toBe(409);
  expect((await api.send('DELETE', `${path}/dbs%20apart`, undefined, headers)).statusCode).toBe(204);
  expect(await list()).toEqual([]);
  expect((await post(apart)).statusCode).toBe(201);
});

describe('refusals name the field, the reason and the nearest word', () => {
  it.each<[object, string]>([
    [{ ...apart, kind: 'keep_apat' }, 'Did you mean keep_apart?'],
    [{ ...apart, kind: undefined }, 'kind'],
    [{ ...apart, name: ' ' }, 'name'],
    [{ ...apart, name: 'x'.repeat(256) }, 'name'],
    [{ ...apart, instances: { uuids: ['x'] } }, 'instances.uuids'],
    [{ ...apart, instances: {} }, 'At least one of uuids, names, metadata, projects and flavors'],
    [{ ...apart, instances: { name: ['x'] } }, 'names'],
    [{ ...apart, instances: { names: 'x' } }, 'instances.names'],
    [{ ...apart, instances: { metadata: { role: 1 } } }, 'instances.metadata.role'],
    [{ ...apart, hosts: { names: ['a'] } }, 'names no hosts'],
    [{ ...apart, kind: 'avoid_hosts' }, 'must name hosts'],
    [{ ...apart, max_per_host: 0 }, 'max_per_host'],
    [{ ...apart, kind: 'leave_alone', strict: false }, 'strict'],
    [{ ...apart, strict: 'yes' }, 'strict'],
    [{ ...apart, limit: 1 }, 'limit'],
  ])('%j', async (body, text) => {
    const refused = fault(await post(body));
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining(text) });
    expect(await list()).toEqual([]);
  });

  it('only administrators may', async () => {
    const member = { ...headers, 'X-Roles': 'member' };
    expect((await api.get(path, member)).statusCode).toBe(403);
    expect((await api.send('POST', path, apart, member)).statusCode).toBe(403);
  });
});

it('changes are in the change log and, with their callers, in the audit log', async () => {
  const { epoch, newest: revno } = await api.store.changes.bounds();
  const { uuid } = (await post(apart)).json();
  await patch(uuid, { enabled: false });
  await api.send('DELETE', `${path}/${uuid}`, undefined, headers);
  const changes = await api.store.changes.read({ epoch, revno }, 100);
  expect(changes.filter(({ kind }) => kind === 'placement_rule').map(({ op }) => op)).toEqual([
    'create',
    'update',
    'delete',
  ]);
  const log = async () =>
    (await api.get('/internal/audit-log?target_kind=placement_rule', headers)).json().entries as {
      operation: string;
      status: number | null;
    }[];
  // Entries of earlier refused requests are written after their responses.
  await expect
    .poll(
      async () =>
        (await log())
          .filter(({ status }) => status !== null && status < 300)
          .slice(0, 3)
          .map(({ operation }) => operation),
      { timeout: 60_000 },
    )
    .toEqual(['delete_placement_rule', 'change_placement_rule', 'create_placement_rule']);
  const values = (await log()).filter(({ status }) => status !== null && status < 300).slice(0, 3);
  expect(values).toMatchObject([
    { changes: { before: { uuid, enabled: false }, after: null } },
    { changes: { before: { uuid, enabled: true }, after: { uuid, enabled: false } } },
    { changes: { before: null, after: { uuid, ...apart } } },
  ]);
});

it('a placement rule is bounded, and no cache stores it', async () => {
  const metadata = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`key-${index}`, 'x']));
  const refused = async (rule: object) => fault(await post({ ...apart, ...rule }));
  const atMost = (text: string) => ({ status: 400, text: expect.stringContaining(`At most ${text}`) });
  expect(await refused({ instances: { metadata } })).toMatchObject(atMost('200 entries'));
  expect(await refused({ instances: { metadata: { ['k'.repeat(256)]: 'x' } } })).toMatchObject(
    atMost('255 characters'),
  );
  expect(await refused({ description: 'd'.repeat(4001) })).toMatchObject(atMost('4000 characters'));
  expect((await api.get(path, headers)).headers['cache-control']).toBe('no-store');
});

it('a list is paged by name, up to the limit of the API', async () => {
  for (const name of ['c', 'a', 'b']) await post({ ...apart, name });
  const page = async (query: string) => (await api.get(`${path}?${query}`, headers)).json();
  const first = await page('limit=2');
  expect(first.placement_rules.map(({ name }: { name: string }) => name)).toEqual(['a', 'b']);
  expect(first.next).toBe(first.placement_rules[1].uuid);
  const second = await page(`limit=2&marker=${first.next}`);
  expect(second.placement_rules.map(({ name }: { name: string }) => name)).toEqual(['c']);
  expect(second.next).toBeNull();
  for (const query of ['limit=0', 'limit=x', 'marker=x', 'page=1'])
    expect((await api.get(`${path}?${query}`, headers)).statusCode, query).toBe(400);
  expect((await api.get(`${path}?marker=${newUuid()}`, headers)).statusCode).toBe(404);
});

it('a change with If-Match needs the version that the client read', async () => {
  const made = await post(apart);
  const { uuid } = made.json();
  const read = await api.get(`${path}/${uuid}`, headers);
  const tag = String(read.headers.etag);
  expect(tag).toMatch(/^"/);
  expect(made.headers.etag).toBe(tag);
  const changed = await api.send('PATCH', `${path}/${uuid}`, { enabled: false }, { ...headers, 'If-Match': tag });
  expect(changed.statusCode, changed.body).toBe(200);
  expect(changed.headers.etag).not.toBe(tag);
  const stale = { ...headers, 'If-Match': tag };
  expect((await api.send('PATCH', `${path}/${uuid}`, { enabled: true }, stale)).statusCode).toBe(412);
  expect((await api.send('DELETE', `${path}/${uuid}`, undefined, stale)).statusCode).toBe(412);
  expect((await list())[0]).toMatchObject({ enabled: false });
  const current = { ...headers, 'If-Match': String(changed.headers.etag) };
  expect((await api.send('DELETE', `${path}/${uuid}`, undefined, current)).statusCode).toBe(204);
});

it('a repeated creation with its Idempotency-Key creates one rule', async () => {
  const keyed = { ...headers, 'Idempotency-Key': 'once' };
  const first = await api.send('POST', path, apart, keyed);
  const second = await api.send('POST', path, apart, keyed);
  expect([first.statusCode, second.statusCode]).toEqual([201, 201]);
  expect(second.headers['idempotency-replayed']).toBe('true');
  expect(second.headers.location).toBe(first.headers.location);
  expect(second.json()).toEqual(first.json());
  expect(await list()).toHaveLength(1);
  expect((await api.send('POST', path, { ...apart, name: 'other' }, keyed)).statusCode).toBe(422);
});

it('the number of rules is bounded, and a removed rule makes room', async () => {
  await api.sql.query(`INSERT INTO placement_rules (uuid, name, kind, instances, strict, enabled)
    SELECT gen_random_uuid(), 'many-' || n, 'leave_alone', '{"names": ["x"]}', true, true FROM generate_series(1, 499) n`);
  const both = await Promise.all(['one', 'two'].map((name) => post({ ...apart, name })));
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
  expect((await patch('many-1', { enabled: false })).statusCode).toBe(200);
  await api.send('DELETE', `${path}/many-1`, undefined, headers);
  expect((await post({ ...apart, name: 'three' })).statusCode).toBe(201);
});
