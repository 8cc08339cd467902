import { describe, expect, it } from 'vitest';
import { insertAction, insertPlanWorld } from '#tests';
import { useTestApi } from '../api/testing/test-api.ts';
import { runVigil } from './testing/run-vigil.ts';

const api = await useTestApi();
const url = await api.listen();
const vigil = (words: string[], columns?: number) =>
  runVigil(['promises', ...words], { env: { VIGIL_API_URL: url }, columns });

async function seedPlan(verdicts: readonly string[], weeksAgo = 0): Promise<string> {
  const range = { quantity: 'cpu_load_highest', low: 56, high: 66, achieved: 60, reason: null };
  const outcome = { promises: verdicts.map((verdict) => ({ ...range, verdict })) };
  const { plan, strategy } = await insertPlanWorld(api.store.db, {
    actions: 0,
    plan: () => ({ state: 'SUCCEEDED', outcome }),
  });
  const endedAt = new Date(Date.now() - weeksAgo * 7 * 24 * 3_600_000);
  await insertAction(api.store.db, plan, () => ({ state: 'SUCCEEDED', startedAt: endedAt, endedAt }));
  return strategy.name;
}

describe('vigil promises', () => {
  it('reports that no plan has promised anything', async () => {
    expect(await vigil([])).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse((await vigil(['--json'])).out)).toEqual([]);
  });

  it('counts the plans of a strategy that kept a promise, of those that were measured', async () => {
    const strategy = await seedPlan(['WITHIN', 'WITHIN', 'ABOVE', 'BELOW', 'NOT_MEASURED', 'NOT_ATTRIBUTABLE']);
    const old = await seedPlan(['WITHIN'], 8);

    const rows = JSON.parse((await vigil(['--weeks', '4', '--json'])).out);
    const counts = { within: 2, below: 1, above: 1, not_measured: 1, not_attributable: 1 };
    expect(rows).toEqual([{ strategy_name: strategy, quantity: 'cpu_load_highest', ...counts }]);
    const { out } = await vigil(['--weeks', '4', '-f', 'value', '-c', 'Strategy', '-c', 'Within range']);
    expect(out).toBe(`${strategy} 2 of 4\n`);
    const longer = JSON.parse((await vigil(['--json'])).out) as { strategy_name: string }[];
    expect(longer.map((row) => row.strategy_name).sort()).toEqual([strategy, old].sort());
  });

  it('refuses more weeks than the API has', async () => {
    expect(await vigil(['--weeks', '105'])).toMatchObject({ code: 1, err: expect.stringContaining('weeks') });
  });
});
