import { expect, it } from 'vitest';
import { createFakeEngine, usualResponses } from '../../../testing/fake-engine.ts';
import { fault, useTestApi } from '../../../testing/test-api.ts';

const responses = { ...usualResponses };
const engine = createFakeEngine(responses);
const api = await useTestApi({ bus: engine });
const send = (body: unknown, headers: Record<string, string> = {}) => api.send('POST', '/v1/what_if', body, headers);

it('forwards the question and the response', async () => {
  const response = await send({ question: 'place', flavor: 'm1.small', count: 3 }, { 'X-Project-Id': 'p7' });
  expect(response.json()).toMatchObject({ question: 'place', verdict: 'does_not_fit', number: 14 });
  expect(engine.requests.at(-1)).toEqual({
    topic: 'cluster.what_if',
    body: {
      ...{ question: 'place', flavor: 'm1.small', count: 3, zone: null, project_id: 'p7', boot_from_volume: false },
    },
  });
});

it.each<[object, string]>([
  [{}, 'question'],
  [{ question: 'loose' }, 'Did you mean lose?'],
  [{ question: 'lose', names: ['a'] }, 'kind'],
  [{ question: 'lose', kind: 'host' }, 'names'],
  [{ question: 'lose', kind: 'host', names: [7] }, 'names'],
  [{ question: 'remove', names: ['a'], kind: 'host' }, 'Unknown argument: "kind"'],
  [{ question: 'add', count: 1.5, like: 'a' }, 'count'],
  [{ question: 'add', count: 1001, like: 'a' }, 'count'],
  [{ question: 'add', count: 1 }, 'like'],
  [{ question: 'place', flavor: '' }, 'flavor'],
  [{ question: 'place', flavor: 'f', count: 0 }, 'count'],
  [{ question: 'ratio' }, 'ratios'],
  [{ question: 'ratio', ratios: { cpu: 'much' } }, 'ratios'],
  [{ question: 'ratio', ratios: { ram: 1 } }, 'ram'],
  [{ question: 'move' }, 'moves'],
  [{ question: 'move', moves: ['a'] }, 'moves'],
  [{ question: 'move', moves: [{ instance: 'a' }] }, 'moves.host'],
  [{ question: 'move', moves: [{ instance: 'a', host: 'b', way: 'live' }] }, 'way'],
])('refuses %j with 400 that names the field', async (body, text) => {
  expect(fault(await send(body))).toEqual({ status: 400, text: expect.stringContaining(text) });
});

it.each([{ question: 'remove', names: ['a'] }, { question: 'loose' }])(
  'requires its own rule, also for %j',
  async (body) => {
    const refused = await send(body, { 'X-Roles': 'member' });
    expect(fault(refused)).toEqual({ status: 403, text: "Policy doesn't allow data_model:what_if to be performed." });
  },
);

it.each([
  ['flavor_not_found', 404],
  ['invalid_input', 400],
  ['model_not_available', 503],
  ['time_limit', 503],
] as const)('maps the refusal %s to %i', async (code, status) => {
  responses['cluster.what_if'] = { error: { code, message: 'because' } };
  expect(fault(await send({ question: 'remove', names: ['a'] }))).toMatchObject({ status });
});
