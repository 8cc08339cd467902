import { readFile } from 'node:fs/promises';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { createFakeEngine } from '../testing/fake-engine.ts';
import { at, seedCatalogue, seedPlan, useTestApi } from '../testing/test-api.ts';

const document = JSON.parse(await readFile(new URL('../../../openapi/vigil.json', import.meta.url), 'utf8'));
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormatsModule.default(ajv);
ajv.addSchema(document, 'vigil');

const api = await useTestApi({ bus: createFakeEngine() });
const seed = await seedCatalogue(api.store);
const { audit, plan, actions } = await seedPlan(api.store, seed);
const template = await api.send('POST', '/v1/audit_templates', { name: 't', goal: 'dummy' });
await api.store.db.services.beat('watcher-applier', 'host');
await api.store.db.scoringEngines.insert({ uuid: seed.free.uuid, name: 'scorer', description: 'd', metainfo: '' });
const watcher = await api.send('POST', '/v1/watchers', {});
await api.send('POST', '/v1/audits', { audit_type: 'EVENT', goal: 'dummy', name: 'event' });
await api.send('POST', '/v1/audits/event/alert_token', { labels: { host: 'instance' } });
await api.send('POST', '/v1/notification_targets', { name: 'chat', url: 'https://chat.example/' });
const delivery = await api.send('POST', '/v1/notification_targets/chat/test', {});
const idents: Record<string, string> = {
  watchers: watcher.json().id,
  goals: seed.dummyGoal.uuid,
  strategies: seed.dummy.uuid,
  audit_templates: template.json().uuid,
  audits: audit.uuid,
  action_plans: plan.uuid,
  actions: actions[0]?.uuid ?? '',
  scoring_engines: 'scorer',
  services: 'watcher-applier',
  notification_targets: 'chat',
  notification_deliveries: delivery.json().uuid,
};

function validatorOf(path: string, method: string, status: number): ValidateFunction {
  const documented = document.paths[path][method].responses[String(status)];
  expect(documented, `${method} ${path} documents ${status}`).toBeDefined();
  const reference: string = documented.content['application/json'].schema.$ref;
  return ajv.compile({ $ref: `vigil${reference}` });
}

const readable = Object.keys(document.paths).filter(
  (path) => document.paths[path].get?.responses['200'].content['application/json'] !== undefined,
);
/** Needed query arguments. */
const queries: Record<string, string> = {
  '/v1/watchers/{ident}/next': '?timeout=0',
  '/v1/cluster/past': `?at=${new Date().toISOString()}`,
};
/** First minor version of a path that is newer than 1.0. */
const since: Record<string, number> = { '/v1/data_model': 3 };

describe('responses match the document', () => {
  it('finds the read routes', () => expect(readable.length).toBeGreaterThan(25));

  it.each(readable.flatMap((path) => [since[path] ?? 0, 7].map((minor) => [path, minor] as const)))(
    'GET %s at 1.%i',
    async (path, minor) => {
      const ident = path.endsWith('/alert_token') ? 'event' : idents[path.split('/')[2] ?? ''];
      const url = path.replace('{ident}', ident ?? '') + (queries[path] ?? '');
      const response = await api.get(url, at(minor));
      expect(response.statusCode, response.body).toBe(200);
      const validate = validatorOf(path, 'get', 200);
      expect(validate(response.json()), JSON.stringify(validate.errors)).toBe(true);
    },
  );

  it.each([
    ['/v1/goals/{ident}', '/v1/goals/nope', 404],
    ['/v1/goals', '/v1/goals?limit=0', 400],
  ])('refusals of %s', async (path, url, status) => {
    const response = await api.get(url);
    expect(response.statusCode).toBe(status);
    const validate = validatorOf(path, 'get', status);
    expect(validate(response.json()), JSON.stringify(validate.errors)).toBe(true);
  });

  it('created audits', async () => {
    const response = await api.send('POST', '/v1/audits', { audit_type: 'ONESHOT', goal: 'dummy' }, at(7));
    const validate = validatorOf('/v1/audits', 'post', 201);
    expect(validate(response.json()), JSON.stringify(validate.errors)).toBe(true);
  });
});
