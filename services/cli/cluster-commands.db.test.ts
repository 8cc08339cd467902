import { expect, it } from 'vitest';
import { createFakeEngine } from '../api/testing/fake-engine.ts';
import { useTestApi } from '../api/testing/test-api.ts';
import { runVigil } from './testing/run-vigil.ts';

const engine = createFakeEngine();
const api = await useTestApi({ bus: engine });
const url = await api.listen();
const minute = 60_000;

const vigil = (words: string[], columns?: number) =>
  runVigil(['cluster', 'at', ...words], { env: { VIGIL_API_URL: url }, columns });
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 60 * minute).toISOString();

it('prints each host then and now, the moves, and the unknown parts', async () => {
  const at = hoursAgo(5);
  const { code, out, err } = await vigil([at], 120);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/h1 +│ 70\.0 +│ 40\.0 +│ 6\.3 +│ 3\.1 +│ 2 +│ 1 +│ 0 +│ 1/);
  expect(out).toMatch(/h2 +│ not measured +│ 55\.0/);
  expect(out).toContain(`${at}: of 3 instances, 1 were on another host. Migrations since then: 1.`);
  expect(out).toContain('Note: instances created since then, not shown: 1.');
  expect(out).toContain(
    'Note: instances migrated and deleted since then; other deleted instances are not recorded: 2.',
  );
});

it('prints the response of the API as JSON', async () => {
  const at = hoursAgo(5);
  const { out } = await vigil([at, '--json']);
  expect(JSON.parse(out)).toMatchObject({ at, instances: { moved: 1 }, hosts: [{ hostname: 'h1' }, {}] });
});

it('takes a time before now in words', async () => {
  await vigil(['2 days ago']);
  const atMs = Number(engine.requests.at(-1)?.body.at_ms);
  expect(Math.abs(Date.now() - 48 * 60 * minute - atMs)).toBeLessThan(5 * minute);
});

it('compares with a second moment', async () => {
  const [at, to] = [hoursAgo(5), hoursAgo(2)];
  const { out } = await vigil([at, '--to', to], 140);
  expect(engine.requests.at(-1)?.body).toEqual({ at_ms: Date.parse(at), to_ms: Date.parse(to) });
  expect(out).toContain(`Compared with ${to}: the columns "later" have the values of that time.`);
  expect(out).toMatch(/CPU % then +│ CPU % later +│.*│ Instances later/);
  expect(out).not.toContain(' now');
  const named = await vigil([at, '--to', to, '-f', 'csv', '-c', 'Host', '-c', 'CPU % later']);
  expect(named.out).toBe('"Host","CPU % later"\n"h1",40\n"h2",55\n');
});

it('shows the refusal of a time that is none', async () => {
  expect(await vigil(['yesterday'])).toMatchObject({ code: 1, err: expect.stringContaining('ISO 8601 with offset') });
});
