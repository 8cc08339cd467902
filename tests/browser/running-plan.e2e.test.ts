import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import { createOpenStackCloud, openStackConfigFromEnv } from '#libs/openstack';
import { systemClock } from '#libs/service-kit';
import { atEnd } from '../at-end.ts';
import type { PlanRows } from './rows.ts';
import { text } from './texts.ts';
import { useDashboard } from './use-dashboard.ts';

// No time passes in the cloud until a test lets it: a migration runs as long as the test needs.
const here = useDashboard({ services: ['applier'], env: { VIGIL_OUTCOME_BEFORE_SECONDS: '0' } });

/** Starts a plan of two sequential migrations, and waits until the first one runs. */
async function startPlan(): Promise<PlanRows> {
  const config = openStackConfigFromEnv(here.stack.env);
  const { compute, close } = createOpenStackCloud(config, { logger: silentLogger, clock: systemClock });
  atEnd(close);
  const servers = (await compute.listServers({})).filter(({ status, locked }) => status === 'ACTIVE' && !locked);
  const serversOf = (name: string) => servers.filter(({ host }) => host === name);
  const hosts = [...new Set(servers.map(({ host }) => host ?? ''))].sort(
    (one, other) => serversOf(one).length - serversOf(other).length,
  );
  const [destination = '', source = ''] = [hosts[0], hosts.at(-1)];
  const moved = serversOf(source).sort((one, other) => one.flavor.ramMb - other.flavor.ramMb);
  const rows = await here.rows.plan({
    actions: 2,
    hosts: [source, destination],
    action: (place) => ({
      inputParameters: {
        migration_type: 'live',
        resource_id: moved[place]!.uuid,
        resource_name: moved[place]!.name,
        source_node: source,
        destination_node: destination,
      },
    }),
  });
  const start = { params: { path: { ident: rows.plan.uuid } }, body: {} };
  expect((await here.stack.client.api.POST('/v1/action_plans/{ident}/start', start)).response.ok).toBe(true);
  await expect.poll(() => statesOf(rows)).toEqual(['ONGOING', 'PENDING']);
  return rows;
}

const statesOf = async ({ plan }: PlanRows) =>
  (await here.store.db.actions.listByPlan(plan.uuid)).map(({ state }) => state);

/** Lets time pass in the cloud until the actions of the plan have these states. */
async function letPassUntil(rows: PlanRows, states: readonly string[]): Promise<void> {
  const now = async () => {
    await here.stack.control('/tick', { seconds: 60 });
    return statesOf(rows);
  };
  await expect.poll(now).toEqual(states);
}

const waitForState = (page: Page, state: string) => page.getByTestId('page-state').getByText(state).waitFor();

test('a plan that an applier runs is paused after its action and resumed to its end', async () => {
  const rows = await startPlan();
  const page = await here.open(`plans/${rows.plan.uuid}`);
  await page.getByRole('button', { name: text('plan.pause') }).click();
  await waitForState(page, 'PAUSED');
  await letPassUntil(rows, ['SUCCEEDED', 'PENDING']);
  const counts = text('count.done', { succeeded: 1, total: 2 });
  await page
    .getByRole('region', { name: text('gain.headline') })
    .getByText(counts)
    .waitFor();
  await page.getByRole('button', { name: text('plan.resume') }).click();
  await letPassUntil(rows, ['SUCCEEDED', 'SUCCEEDED']);
  await waitForState(page, 'SUCCEEDED');
});

test('a running plan of an applier is aborted, with its current migration', async () => {
  const rows = await startPlan();
  const page = await here.open(`plans/${rows.plan.uuid}`);
  await page.getByRole('button', { name: text('plan.abort') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: text('plan.abort') })
    .click();
  await expect.poll(() => statesOf(rows)).toEqual(['CANCELLED', 'CANCELLED']);
  await waitForState(page, 'CANCELLED');
});

test('the timeline of an executed plan has a bar for each action', async () => {
  const rows = await startPlan();
  await letPassUntil(rows, ['SUCCEEDED', 'SUCCEEDED']);
  const page = await here.open(`plans/${rows.plan.uuid}?tab=timeline`);
  const bars = page.getByRole('region', { name: text('plan.timelineLabel') }).getByRole('listitem');
  await bars.nth(1).waitFor();
  expect(await bars.getByTestId('state').allTextContents()).toEqual(['SUCCEEDED', 'SUCCEEDED']);
  expect(await bars.getByRole('img').count()).toBe(2);
});
