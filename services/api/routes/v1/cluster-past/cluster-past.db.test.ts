import { expect, it } from 'vitest';
import { createFakeEngine, usualResponses } from '../../../testing/fake-engine.ts';
import { fault, useTestApi } from '../../../testing/test-api.ts';

const responses = { ...usualResponses };
const engine = createFakeEngine(responses);
const api = await useTestApi({ bus: engine });
const read = (query: string, headers?: Record<string, string>) => api.get(`/v1/cluster/past${query}`, headers);
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

it('passes the moment and the response on', async () => {
  const at = daysAgo(27.9);
  const response = await read(`?at=${at}`);
  expect(response.json()).toMatchObject({ at, instances: { moved: 1 }, hosts: [{ hostname: 'h1', left: 1 }, {}] });
  expect(engine.requests.at(-1)).toEqual({ topic: 'cluster.past', body: { at_ms: Date.parse(at) } });
});

it('reads a time with any offset, and none after now', async () => {
  const at = Date.parse(`${daysAgo(1).slice(0, 19)}Z`);
  const shifted = `${new Date(at + 2 * 3_600_000).toISOString().slice(0, 19)}+02:00`;
  await read(`?at=${encodeURIComponent(shifted)}`);
  expect(engine.requests.at(-1)?.body).toEqual({ at_ms: at });
  await read(`?at=${daysAgo(-0.0003)}`);
  expect(engine.requests.at(-1)?.body.at_ms).toBeLessThanOrEqual(Date.now());
});

it('passes a second moment on, unless the engine is of an earlier release', async () => {
  const [at, to] = [daysAgo(3), daysAgo(1)];
  expect((await read(`?at=${at}&to=${to}`)).json()).toMatchObject({ at, to, moved_instances: [{ name: 'vm-s1' }] });
  expect(engine.requests.at(-1)?.body).toEqual({ at_ms: Date.parse(at), to_ms: Date.parse(to) });
  const { to: _to, moved_instances: _moved, ...earlier } = (await read(`?at=${at}`)).json();
  responses['cluster.past'] = earlier;
  expect(fault(await read(`?at=${at}&to=${to}`))).toEqual({
    status: 503,
    text: expect.stringContaining('earlier release'),
  });
  expect((await read(`?at=${at}`)).json()).toMatchObject({ to: earlier.model_taken_at, moved_instances: [] });
});

it.each([
  ['', 'Mandatory argument missing'],
  ['?at=', 'A time in ISO 8601 with offset is needed'],
  ['?at=yesterday', 'A time in ISO 8601 with offset is needed'],
  ['?at=2026-05-01', 'A time in ISO 8601 with offset is needed'],
  ['?at=2026-05-01T12:00:00', 'A time in ISO 8601 with offset is needed'],
  ['?at=2026-13-41T12:00:00Z', 'A time in ISO 8601 with offset is needed'],
  [`?at=${daysAgo(-1)}`, 'It is in the future'],
  [`?at=${daysAgo(28.1)}`, 'It is more than 28 days ago. The earliest moment is 2'],
  [`?at=${daysAgo(2)}&to=tomorrow`, 'A time in ISO 8601 with offset is needed'],
  [`?at=${daysAgo(2)}&to=${daysAgo(-1)}`, 'It is in the future'],
  [`?at=${daysAgo(2)}&to=${daysAgo(3)}`, 'It is before "at"'],
  ['?since=yesterday', 'Unknown argument: "since"'],
])('refuses %j with 400 that says why', async (query, text) => {
  expect(fault(await read(query))).toEqual({ status: 400, text: expect.stringContaining(text) });
});

it('requires its own rule, also for a wrong time', async () => {
  const refused = await read('?at=yesterday', { 'X-Roles': 'member' });
  expect(fault(refused)).toEqual({ status: 403, text: "Policy doesn't allow data_model:past to be performed." });
});

it.each([
  ['invalid_input', 400],
  ['model_not_available', 503],
] as const)('maps the refusal %s to %i', async (code, status) => {
  responses['cluster.past'] = { error: { code, message: 'because' } };
  expect(fault(await read(`?at=${daysAgo(1)}`))).toMatchObject({ status });
});
