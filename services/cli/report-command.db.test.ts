import { expect, it } from 'vitest';
import { insertPlanWorld } from '#tests';
import { createFakeEngine, usualResponses } from '../api/testing/fake-engine.ts';
import { useTestApi } from '../api/testing/test-api.ts';
import { runVigil } from './testing/run-vigil.ts';

const responses = { ...usualResponses };
const api = await useTestApi({ bus: createFakeEngine(responses) });
const url = await api.listen();
const vigil = (words: string[], columns = 160) =>
  runVigil(['report', ...words], { env: { VIGIL_API_URL: url }, columns });
await insertPlanWorld(api.store.db, {
  plan: () => ({ state: 'SUPERSEDED', statusMessage: 'Not started within 24 hours.' }),
});
await insertPlanWorld(api.store.db, { plan: () => ({ approval: 'wanted', approvalReason: 'it moves 40 instances' }) });

it('prints the sums of the last 30 days, and a table for each part', async () => {
  const { code, out, err } = await vigil([]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain('Plans created: 2. Partially executed: 0. Without actions: 0.');
  expect(out).toMatch(/Energy: \d+(\.\d+)? kWh of 2 hosts, measured in \d+(\.\d+)? of 720 hours\./);
  expect(out).toMatch(/SUPERSEDED +│ Not started within 24 hours\. +│ 1/);
  expect(out).toMatch(/RECOMMENDED +│ awaiting approval: it moves 40 instances +│ 1/);
  expect(out).toMatch(/h1 +│ 61\.5 +│ 97\.3 +│ 40\.0 +│ 52\.0/);
});

it('prints the response of the API as JSON for the requested period', async () => {
  const { out } = await vigil(['--from', '2026-01-01', '--to', '2026-02-01', '--json']);
  expect(JSON.parse(out)).toMatchObject({
    ...{ from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' },
    ...{ plans: { made: 0, by_state: [] }, unstarted: [] },
  });
});

it('shows the refusal of a period that has none', async () => {
  const { code, err } = await vigil(['--from', '2026-02-01', '--to', '2026-01-01']);
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('It must be after the start') });
});

it('says why energy and loads are missing', async () => {
  const refusal = { error: { code: 'history_not_available', message: 'no data source' } };
  Object.assign(responses, { 'history.spread': refusal, 'history.fullest': refusal });
  const { out } = await vigil([]);
  expect(out).toContain('Energy: not measured: ');
  expect(out).toContain('Note: load data is missing: ');
});
