import { beforeEach, describe, expect, it } from 'vitest';
import type { OppositeAuditsMode } from '#libs/domain';
import { newUuid } from '#libs/service-kit';
import { insertGoal, insertStrategy } from '#tests';
import { fault, useTestApi } from '../../../testing/test-api.ts';

let mode: OppositeAuditsMode = 'allow';
const api = await useTestApi({ oppositeAudits: () => mode });
const goal = await insertGoal(api.store.db, () => ({ name: 'any' }));
const preset = { type: 'string', enum: ['even', 'neutral'], default: 'neutral', 'x-aims': { even: 'spread' } };
for (const [name, parametersSpec] of [
  ['packer', { type: 'object', 'x-aim': 'pack', properties: {} }],
  ['spreader', { type: 'object', 'x-aim': 'spread', properties: {} }],
  ['either', { type: 'object', properties: { preset } }],
  ['merging-packer', { type: 'object', 'x-aim': 'pack', 'x-merges': true, properties: {} }],
  ['merging-spreader', { type: 'object', 'x-aim': 'spread', 'x-merges': true, properties: {} }],
] as const)
  await insertStrategy(api.store.db, goal, () => ({ name, parametersSpec: structuredClone(parametersSpec) as never }));

const zone = (name: string) => [{ compute: [{ availability_zones: [{ name }] }] }];

async function inScope(scope: object[]): Promise<string> {
  const { id: goalId } = goal;
  const template = await api.store.db.auditTemplates.insert({
    ...{ uuid: newUuid(), name: newUuid(), goalId, strategyId: null, description: null },
    scope: scope as never,
  });
  return template.uuid;
}

async function create(strategy: string, change: object = {}) {
  const body = { audit_type: 'CONTINUOUS', goal: 'any', strategy, interval: '300', ...change };
  return api.send('POST', '/v1/audits', body);
}

beforeEach(async () => {
  mode = 'allow';
  await api.sql.query("UPDATE audits SET deleted = id, state = 'DELETED' WHERE deleted = 0");
});

describe('allow', () => {
  it('creates an opposite audit with a warning that names the other one', async () => {
    const first = await create('packer', { name: 'tight' });
    expect([first.statusCode, first.headers.warning]).toEqual([201, undefined]);
    const second = await create('spreader');
    expect(second.statusCode).toBe(201);
    expect(second.headers.warning).toMatch(/^299 vigil ".*audit tight \([0-9a-f-]{36}\) packs/);
  });

  it.each([
    ['of the same aim', 'packer', {}],
    ['without an aim', 'either', {}],
    ['that runs once', 'spreader', { audit_type: 'ONESHOT', interval: undefined }],
  ])('does not warn about an audit %s', async (_, strategy, change) => {
    await create('packer');
    const response = await create(strategy, change);
    expect([response.statusCode, response.headers.warning]).toEqual([201, undefined]);
  });

  it('does not warn about audits of different availability zones', async () => {
    const [one, other] = [await inScope(zone('one')), await inScope(zone('other'))];
    await create('packer', { goal: undefined, audit_template_uuid: one });
    const apart = await create('spreader', { goal: undefined, audit_template_uuid: other });
    expect([apart.statusCode, apart.headers.warning]).toEqual([201, undefined]);
    const whole = await create('spreader');
    expect(whole.headers.warning).toContain('packs instances');
  });

  it('warns when a change of parameters gives an audit the opposite aim', async () => {
    await create('packer');
    const { uuid } = (await create('either')).json();
    const path = `/v1/audits/${uuid}`;
    const renamed = await api.send('PATCH', path, [{ op: 'replace', path: '/name', value: 'renamed' }]);
    expect(renamed.headers.warning).toBeUndefined();
    const changed = await api.send('PATCH', path, [{ op: 'replace', path: '/parameters/preset', value: 'even' }]);
    expect([changed.statusCode, changed.json().parameters]).toEqual([200, { preset: 'even' }]);
    expect(changed.headers.warning).toContain('packs instances');
  });
});

describe('refuse', () => {
  it('returns 409 with field, reason and the other audit, and creates nothing', async () => {
    await create('packer', { name: 'tight' });
    mode = 'refuse';
    const refused = await create('spreader', { name: 'even' });
    expect(fault(refused).status).toBe(409);
    expect(fault(refused).text).toMatch(/field\/attribute strategy\. Value: 'spreader'\..*audit tight/);
    expect((await api.get('/v1/audits/even')).statusCode).toBe(404);
  });

  it('creates one of two opposite audits that are requested concurrently', async () => {
    mode = 'refuse';
    const responses = await Promise.all([create('packer'), create('spreader')]);
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
  });

  it('refuses a change that gives an audit the opposite aim, and keeps the audit', async () => {
    await create('packer');
    mode = 'refuse';
    const { uuid } = (await create('either')).json();
    const path = `/v1/audits/${uuid}`;
    const refused = await api.send('PATCH', path, [{ op: 'replace', path: '/parameters/preset', value: 'even' }]);
    expect(refused.statusCode).toBe(409);
    expect((await api.get(path)).json().parameters).toEqual({ preset: 'neutral' });
  });

  it('does not count audits that have ended', async () => {
    const { uuid } = (await create('packer')).json();
    await api.send('PATCH', `/v1/audits/${uuid}`, [{ op: 'replace', path: '/state', value: 'CANCELLED' }]);
    mode = 'refuse';
    expect((await create('spreader')).statusCode).toBe(201);
  });
});

describe('merge', () => {
  beforeEach(() => {
    mode = 'merge';
  });

  it('creates an opposite audit with a warning about the merged aims', async () => {
    await create('merging-packer', { name: 'tight' });
    const second = await create('merging-spreader');
    expect(second.statusCode).toBe(201);
    expect(second.headers.warning).toMatch(/audit tight .* the younger one is computed with both aims/);
  });

  it.each([
    ['this strategy', 'merging-packer', 'spreader', 'spreader'],
    ['the strategy of the other audit', 'packer', 'merging-spreader', 'packer'],
  ])('returns 409 where %s cannot be merged, with the strategies that can', async (_, first, second, against) => {
    await create(first);
    const refused = await create(second, { name: 'refused' });
    expect(fault(refused).status).toBe(409);
    expect(fault(refused).text).toContain(
      `cannot be merged because of ${against}; strategies that can: merging-packer, merging-spreader`,
    );
    expect((await api.get('/v1/audits/refused')).statusCode).toBe(404);
  });
});
