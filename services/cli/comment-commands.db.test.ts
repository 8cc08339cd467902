import { expect, it } from 'vitest';
import { seedCatalogue, seedPlan, useTestApi } from '../api/testing/test-api.ts';
import { runVigil } from './testing/run-vigil.ts';

const api = await useTestApi();
const { plan } = await seedPlan(api.store, await seedCatalogue(api.store));
const url = await api.listen();
const vigil = (...args: string[]) => runVigil(['actionplan', ...args], { env: { VIGIL_API_URL: url } });

it('comments on a plan are written and shown, newest last', async () => {
  const written = await vigil('comment', plan.uuid, 'db-7 moves after the backup');
  expect(written).toMatchObject({ code: 0, out: expect.stringContaining('db-7 moves after the backup') });
  await vigil('comment', plan.uuid, 'agreed');
  const shown = await vigil('comments', plan.uuid);
  expect(shown.out).toMatch(/Author[\s\S]*db-7 moves after the backup[\s\S]*agreed/);
  const { out } = await vigil('comments', plan.uuid, '--json');
  expect(JSON.parse(out)).toMatchObject([{ text: 'db-7 moves after the backup' }, { text: 'agreed' }]);
});

it('a comment that the API refuses is reported with the reason', async () => {
  const refused = await vigil('comment', plan.uuid, 'x'.repeat(2001));
  expect(refused.code).not.toBe(0);
  expect(refused.err).toContain('at most 2000 characters');
});
