import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import type { DeadLetter, DeadLetters } from '#libs/messaging';
import { newUuid, readBuildVersion } from '#libs/service-kit';
import { createFakeEngine } from '../testing/fake-engine.ts';
import { fault, seedCatalogue, seedPlan, useTestApi } from '../testing/test-api.ts';

const document = JSON.parse(await readFile(new URL('../../../openapi/internal.json', import.meta.url), 'utf8'));
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormatsModule.default(ajv);
ajv.addSchema(document, 'internal');

const version = readBuildVersion();
const major = version.split('.')[0] ?? '';
const header = (value: string) => ({ 'X-Vigil-Internal-Version': value });

/** Values for the path parameters of the document. */
const idents: Record<string, string> = {
  hostname: 'h1',
  uuid: 's1',
  ident: 'nothing',
  kind: 'action_plan',
  task: '6a3f6e50-27b1-4e8c-9d0e-4a58a5b8f001',
  name: 'progress',
  rule: 'apart',
  aggregate: 'fast',
  flavor: 'm1.small',
};

const letter: DeadLetter = {
  id: '1',
  envelope: { messageId: 'm', type: 'plan.launch', body: {}, attempt: 0, timestamp: '2026-01-01T00:00:00Z' },
  queue: 'vigil.applier.plan.launch',
  reason: 'no such plan',
  at: '2026-01-01T00:00:01Z',
};
const deadLetters: DeadLetters = {
  deadLetters: async () => [letter],
  deadLetterCount: async () => 1,
  redriveDeadLetter: async () => false,
  discardDeadLetter: async () => false,
};

const api = await useTestApi({ bus: createFakeEngine(), deadLetters });
const { plan } = await seedPlan(api.store, await seedCatalogue(api.store));
idents.id = plan.uuid;
idents.plan = plan.uuid;
await api.store.db.placementRules.insert({
  uuid: newUuid(),
  name: 'apart',
  description: null,
  kind: 'keep_apart',
  instances: { names: ['db-*'] },
  hosts: null,
  isStrict: true,
  maxPerHost: 1,
  enabled: true,
});

describe('the internal surface', () => {
  it.each([
    ['the major version', major],
    ['the whole version', version],
    ['another patch of it', `${major}.999.1`],
  ])('takes %s of the build and says its own', async (_what, requested) => {
    const response = await api.get('/internal/deployment', header(requested));
    expect(response.statusCode, response.body).toBe(200);
    expect(response.headers['x-vigil-internal-version']).toBe(version);
    expect(response.headers['server-timing']).toMatch(/^total;dur=\d+\.\d$/);
    expect(response.json()).toMatchObject({ version, internal_version: major, ready: true });
  });

  it.each([
    ['another major version', header(`${Number(major) + 1}.0.0`)],
    ['something else', header('latest')],
    ['none', {}],
  ])('refuses %s with 426', async (_what, headers) => {
    const response = await api.get('/internal/deployment', headers);
    expect(fault(response)).toMatchObject({ status: 426, text: expect.stringContaining(`version ${major}`) });
    expect(response.headers.upgrade).toBe(`vigil-internal/${major}`);
  });

  it('serves its document without a version, and nothing of it is in the public one', async () => {
    const own = await api.get('/internal/openapi.json');
    expect(own.json().info).toEqual(document.info);
    const shown = (await api.get('/openapi.json')).json<{ paths: object }>();
    expect(Object.keys(shown.paths).filter((path) => path.includes('internal'))).toEqual([]);
  });

  it('is for callers with internal:read and internal:write', async () => {
    const asReader = { ...header(major), 'X-Roles': 'reader' };
    const refusal = await api.get('/internal/deployment', asReader);
    expect(fault(refusal)).toEqual({ status: 403, text: "Policy doesn't allow internal:read to be performed." });
    expect((await api.get('/internal/openapi.json', { 'X-Roles': 'reader' })).statusCode).toBe(403);
    expect((await api.get('/internal/deployment', { ...header(major), 'X-Roles': 'admin' })).statusCode).toBe(200);
  });

  it('returns the faults of the public API for unknown paths and methods', async () => {
    expect((await api.get('/internal/nothing', header(major))).statusCode).toBe(404);
    expect((await api.send('DELETE', '/internal/deployment', undefined, header(major))).statusCode).toBe(405);
  });
});

it('returns 503 with Retry-After while no decision engine responds', async () => {
  const alone = await useTestApi({ bus: createFakeEngine({}) });
  const paths = [
    'cluster/summary',
    'cluster/hosts/h1',
    'properties/host/h1/load',
    'history/hosts/h1',
    'history/spread',
  ];
  for (const path of paths) {
    const response = await alone.get(`/internal/${path}`, header(major));
    const text = expect.stringContaining('waiting for a reply of the decision engine');
    expect(fault(response), path).toEqual({ status: 503, text });
    expect(response.headers['retry-after'], path).toBe('5');
  }
});

describe('a window of history', () => {
  it.each([
    'start=-9223372036854775809',
    'start=0&end=253402300800',
    'step=1e3',
    'step=9223372036854775808',
    `step=${'9'.repeat(400)}`,
    'start=5&end=5',
    'start=0&end=1700000000&step=60',
    'step=59',
  ])('that no data source could take is refused: %s', async (query) => {
    for (const path of ['spread', 'hosts/h1', 'instances/s1']) {
      if (path !== 'spread' && query === 'step=59') continue;
      const response = await api.get(`/internal/history/${path}?${query}`, header(major));
      expect(fault(response).text, path).toMatch(/start|end|step/);
      expect(response.statusCode, path).toBe(400);
    }
  });

  it('of a name that no host has is refused', async () => {
    for (const name of ['%00', 'a'.repeat(256)]) {
      expect((await api.get(`/internal/history/hosts/${name}`, header(major))).statusCode, name).toBe(400);
    }
  });
});

describe('long responses', () => {
  it('are compressed for clients that accept it', async () => {
    const packed = await api.get('/internal/openapi.json', { ...header(major), 'Accept-Encoding': 'br, gzip' });
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    const plain = await api.get('/internal/openapi.json', header(major));
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
  });

  it('are sent as they are when short', async () => {
    const short = await api.get('/internal/lists/audits', { ...header(major), 'Accept-Encoding': 'gzip' });
    expect(short.headers).not.toHaveProperty('content-encoding');
  });
});

describe('with Keystone, the internal surface', () => {
  it('needs a token', async () => {
    const identity = { validate: async () => null } as never;
    const guarded = await useTestApi({ identity, authMode: 'keystone' });
    expect((await guarded.get('/internal/deployment', header(major))).statusCode).toBe(401);
    expect((await guarded.get('/internal/openapi.json')).statusCode).toBe(401);
    const refused = await guarded.get('/internal/deployment', { ...header(major), 'X-Auth-Token': 'forged' });
    expect(refused.statusCode).toBe(401);
  });
});

/** Paths without an entity in these tests, which return 404. */
const absent = [
  '/internal/services/{ident}/check',
  '/internal/services/{ident}/status',
  '/internal/service-requests/{id}',
  '/internal/tasks/{task}',
];
const readable = Object.keys(document.paths).filter((path) => document.paths[path].get);

describe('responses match openapi/internal.json', () => {
  it.each(readable)('GET %s', async (path) => {
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(idents[name] ?? ''));
    const response = await api.get(url, header(major));
    const status = absent.includes(path) ? 404 : 200;
    expect(response.statusCode, response.body).toBe(status);
    const reference: string = document.paths[path].get.responses[status].content['application/json'].schema.$ref;
    const validate = ajv.compile({ $ref: `internal${reference}` });
    expect(validate(response.json()), JSON.stringify(validate.errors)).toBe(true);
  });
});
