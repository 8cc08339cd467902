import { expect, test } from 'vitest';
import { dataOf } from '#libs/client';
import { signIn } from './sign-in.ts';
import { like, text } from './texts.ts';
import { useDashboard } from './use-dashboard.ts';
import { strategyNames } from './wait-for-engine.ts';

const here = useDashboard({
  simulator: ['--generate', 'hosts=4,instances=24,seed=7,skew=3', '--speed', '300'],
  services: ['decision-engine', 'applier'],
});

test('an operator signs in, opens an audit, starts its plan, sees it end and signs out', async () => {
  const { client } = here.stack;
  const { page } = await here.openSignedOut('');
  await signIn(page, here.api.url ?? '');
  await strategyNames(client);
  const body = {
    name: 'walk',
    audit_type: 'ONESHOT',
    goal: 'workload_balancing',
    strategy: 'allocation_balance',
    auto_trigger: false,
    force: true,
  } as const;
  await dataOf(client.api.POST('/v1/audits', { body }));

  await page.getByRole('link', { name: text('page.audits'), exact: true }).click();
  await page.getByRole('link', { name: 'walk' }).click();
  await page.getByTestId('page-state').getByText('SUCCEEDED').waitFor();
  await page.locator('main a[href*="/plans/"]').first().click();

  await page
    .getByRole('region', { name: text('gain.headline') })
    .getByText(like('gain.live'))
    .waitFor();
  const uuid = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await page.getByRole('tab', { name: text('plan.tab.graph') }).click();
  const steps = page.getByTestId('step');
  await steps.first().waitFor();

  await page.getByRole('button', { name: text('plan.start'), exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: text('plan.startTitle') })
    .click();
  await page.getByRole('button', { name: text('plan.rollBack') }).waitFor();
  expect((await client.get('action_plans', uuid)).state).toBe('SUCCEEDED');
  await expect
    .poll(() => steps.evaluateAll((drawn) => drawn.every((step) => step.getAttribute('data-state') === 'SUCCEEDED')))
    .toBe(true);

  await page.getByRole('button', { name: text('session.out') }).click();
  await page.getByRole('button', { name: text('session.signIn') }).waitFor();
  const status = await page.evaluate("fetch('/v1/audits').then((response) => response.status)");
  expect(status).toBe(401);
});
