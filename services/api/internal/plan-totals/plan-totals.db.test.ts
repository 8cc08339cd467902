import { expect, it } from 'vitest';
import { internalVersion } from '#libs/client';
import { insertPlanWorld, runSql } from '#tests';
import { fault, useTestApi } from '../../testing/test-api.ts';

const headers = { 'X-Vigil-Internal-Version': internalVersion };
const api = await useTestApi();

it('returns the totals of removed plans, which lists no longer show', async () => {
  const { audit, strategy, plan } = await insertPlanWorld(api.store.db, {
    actions: 2,
    plan: () => ({ state: 'SUCCEEDED', launchSeq: 1 }),
    action: () => ({ state: 'SUCCEEDED' }),
  });
  await runSql(
    api.databaseUrl,
    `ALTER TABLE action_plans DISABLE TRIGGER USER;
     UPDATE action_plans SET created_at = '2026-01-02T03:04:05Z', updated_at = NULL`,
  );
  await api.store.retention.prunePlans({ keepSeconds: 86_400, keepPerAudit: 0 });
  expect((await api.get('/v1/action_plans')).json()).toMatchObject({ action_plans: [] });
  expect(fault(await api.get(`/v1/action_plans/${plan.uuid}`))).toMatchObject({ status: 404 });
  expect((await api.get(`/v1/actions?audit_uuid=${audit.uuid}`)).json()).toMatchObject({ actions: [] });
  const totals = await api.get(`/internal/plan-totals?audit_uuid=${audit.uuid}`, headers);
  expect(totals.headers).toMatchObject({ deprecation: expect.any(String), sunset: expect.any(String) });
  expect(totals.json()).toEqual({
    plan_totals: [
      {
        audit_uuid: audit.uuid,
        strategy: strategy.name,
        day: '2026-01-02',
        state: 'SUCCEEDED',
        plans: 1,
        actions: 2,
        succeeded_actions: 2,
        failed_actions: 0,
      },
    ],
  });
  expect(fault(await api.get('/internal/plan-totals?limit=0', headers))).toMatchObject({ status: 400 });
});
