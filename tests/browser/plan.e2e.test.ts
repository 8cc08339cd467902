import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { PlanOptions, PlanRows } from './rows.ts';
import { like, text } from './texts.ts';
import { useDashboard } from './use-dashboard.ts';

// No process executes plans: a state changes only when the page or the test changes it.
const here = useDashboard();

const steps = (page: Page) => page.getByTestId('step');
/** State of the plan, beside the title of its page. */
const stateShown = (page: Page) => page.getByTestId('page-state');
const stateOf = async (uuid: string) => (await here.store.db.actionPlans.get(uuid)).state;

/** Clicks a button that opens a dialog, and the button of the same name in it. */
async function confirm(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
}

test('the page of a plan shows the gain, the cost and the state', async () => {
  const { plan } = await here.rows.plan({ actions: 3 });
  const page = await here.open(`plans/${plan.uuid}`);
  await page
    .getByRole('region', { name: text('gain.headline') })
    .getByText(text('gain.live', { count: 3 }))
    .waitFor();
  expect(await stateShown(page).textContent()).toBe('RECOMMENDED');
});

test('a plan whose actions load, or cannot load, is not called a plan without actions', async () => {
  const { plan } = await here.rows.plan({ actions: 3 });
  const page = await here.open('');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/v1\/actions\b/, async (route) => {
    await held;
    await route.fulfill({ status: 400, json: { error_message: { faultstring: 'no such filter' } } });
  });
  await page.goto(`${here.api.url}/dashboard/plans/${plan.uuid}`);
  await page.getByRole('tabpanel').getByTestId('loading').waitFor();
  expect(await page.getByText(text('plan.noActions')).count()).toBe(0);
  release();
  await page.getByText(text('plan.actionsUnreadable')).waitFor();
  expect(await page.getByText(text('plan.noActions')).count()).toBe(0);
  await page.unroute(/\/v1\/actions\b/);
  await page.getByRole('button', { name: text('shell.tryAgain') }).click();
  await page.getByRole('list', { name: text('plan.lanes') }).waitFor();
});

test('the only group of actions of a plan is open, and several that wait are closed', async () => {
  const openGroups = async (action?: PlanOptions['action']) => {
    const { plan } = await here.rows.plan({ actions: 2, ...(action && { action }) });
    const page = await here.open(`plans/${plan.uuid}`);
    const groups = page.getByRole('list', { name: text('plan.lanes') }).locator('> li > div > div > button');
    await groups.first().waitFor();
    return groups.evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-expanded')));
  };
  expect(await openGroups()).toEqual(['true']);
  expect(
    await openGroups((place) => (place === 0 ? {} : { actionType: 'sleep', inputParameters: { duration: 1 } })),
  ).toEqual(['false', 'false']);
});

test('a plan that ends before its actions has no time left', async () => {
  const { plan } = await here.rows.plan({ actions: 3 });
  const page = await here.open(`plans/${plan.uuid}?tab=run`);
  const left = page.getByRole('tabpanel').getByText(like('duration.left'));
  await left.waitFor();
  await here.store.db.actionPlans.transition(plan.uuid, 'supersede');
  await stateShown(page).getByText('SUPERSEDED').waitFor();
  await left.waitFor({ state: 'detached' });
});

test('a plan shows its side effects in the headline and before the start', async () => {
  const { plan } = await here.rows.plan({ actions: 3 });
  const fullest = { hostname: 'compute-080', before: 66, after: 94 };
  const effect = { quantity: 'memory', deviation: { before: 7, after: 22 }, highestBefore: 70, fullest };
  const added = { quantities: [effect], reserve: [{ domain: 'zone az1', change: 'lost' }] };
  await here.stack.sql('UPDATE plan_hosts SET doc = doc || $1::jsonb WHERE plan_id = $2', [
    JSON.stringify(added),
    plan.id,
  ]);
  const page = await here.open(`plans/${plan.uuid}`);
  const effects = () => page.getByTestId('side-effects');
  await effects().first().getByText(text('quantity.memory')).waitFor();
  await page.getByRole('button', { name: text('plan.start'), exact: true }).click();
  const inDialog = page.getByRole('dialog').getByTestId('side-effects');
  await inDialog.getByText(text('quantity.memory')).waitFor();
  await inDialog.getByText('zone az1').waitFor();
});

test('a plan that can be started shows the load that is expected of its hosts without it', async () => {
  const { plan } = await here.rows.plan({ hosts: ['compute-1', 'compute-2'] });
  const from = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000).toISOString();
  const hours = [{ from, low: 71, expected: 84, high: 93, samples: 12, text: '' }];
  const forecast = { id: 'compute-1', last_value: 64, history_days: 12, season: 'day', backtest: { verdict: 'won' } };
  const page = await here.open('');
  const requested: string[] = [];
  await page.route(/\/internal\/forecasts\//, async (route) => {
    requested.push(new URL(route.request().url()).pathname.split('/').at(-1) ?? '');
    await route.fulfill({ json: { ...forecast, hours } });
  });
  await page.goto(`${here.api.url}/dashboard/plans/${plan.uuid}`);
  const without = page.getByTestId('without-plan');
  await without.getByText(text('withoutPlan.high', { count: 1, of: 1, limit: '80\u00a0%' })).waitFor();
  await without.getByRole('button').click();
  const row = without.getByRole('row').filter({ hasText: 'compute-1' });
  await row.getByText(text('forecast.used.day', { count: 12 })).waitFor();
  await row.getByText('71 to 93').waitFor();
  expect(new Set(requested)).toEqual(new Set(['compute-1']));
});

test('the report of a plan shows all its hosts and actions, and paper shows it without the frame', async () => {
  const { plan } = await here.rows.plan({ actions: 25 });
  const page = await here.open(`plans/${plan.uuid}`, { dark: true });
  await page.getByRole('link', { name: text('planReport.link') }).click();
  await page.waitForURL(/\/report$/);
  const rows = (name: string) => page.getByRole('grid', { name }).getByRole('row');
  await expect.poll(() => rows(text('column.actions')).count()).toBe(26);
  expect(await rows(text('planReport.hosts')).count()).toBe(3);
  await page.getByRole('button', { name: text('planReport.print') }).waitFor();
  await page.emulateMedia({ media: 'print' });
  await expect.poll(() => page.getByRole('button', { name: text('planReport.print') }).count()).toBe(0);
  expect(await page.getByRole('navigation').count()).toBe(0);
  await expect.poll(() => page.evaluate("document.documentElement.className.includes('dark')")).toBe(false);
  expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-');
  await page.emulateMedia({ media: 'screen' });
  await expect.poll(() => page.evaluate("document.documentElement.className.includes('dark')")).toBe(true);
});

test('kept and missed promises are on the page of a plan and in the trends', async () => {
  const range = { low: 56, high: 66, reason: null };
  const outcome = {
    promises: [
      { ...range, quantity: 'cpu_load_highest', achieved: 60, verdict: 'WITHIN' },
      { ...range, quantity: 'duration', achieved: 120, verdict: 'ABOVE' },
    ],
  };
  const ended = new Date();
  const { plan } = await here.rows.plan({
    actions: 1,
    plan: { state: 'SUCCEEDED', launchSeq: 1, outcome },
    action: () => ({ state: 'SUCCEEDED', startedAt: ended, endedAt: ended }),
  });
  const page = await here.open(`plans/${plan.uuid}?tab=outcome`);
  const promises = page.getByRole('grid', { name: text('promise.title') });
  const rowOf = (quantity: 'cpu_load_highest' | 'duration') =>
    promises.getByRole('row').filter({ hasText: text(`promise.${quantity}`) });
  await rowOf('cpu_load_highest').getByText(text('promise.verdict.WITHIN')).waitFor();
  await rowOf('duration').getByText(text('promise.verdict.ABOVE')).waitFor();
  await page.goto(`${here.api.url}/dashboard/trends`);
  await rowOf('cpu_load_highest')
    .first()
    .getByText(text('promise.kept', { within: 1, measured: 1 }))
    .waitFor();
});

test('the headline of a failed plan keeps prediction, progress and effect apart', async () => {
  const { plan } = await here.rows.plan({
    actions: 3,
    plan: { state: 'FAILED', launchSeq: 1 },
    action: (place) => ({ state: place === 0 ? 'SUCCEEDED' : 'FAILED' }),
  });
  const page = await here.open(`plans/${plan.uuid}`);
  const headline = page.getByRole('region', { name: text('gain.headline') });
  await headline.getByText(text('gain.planned'), { exact: true }).waitFor();
  await headline
    .getByText(`${text('count.done', { succeeded: 1, total: 3 })}, ${text('count.failed', { failed: 2 })}`)
    .waitFor();
  await headline.getByText(text('outcome.achieved'), { exact: true }).waitFor();
  await headline.getByText(text('effect.notStored')).waitFor();
});

test('the graph is used by keyboard, and the focus returns to the action that was open', async () => {
  const { plan, actions } = await here.rows.plan();
  const page = await here.open(`plans/${plan.uuid}?tab=graph`);
  await steps(page).nth(2).waitFor();
  await page.getByRole('region', { name: text('graph.label') }).focus();
  await page.keyboard.press('Tab');
  const focused = () => page.evaluate("document.activeElement?.getAttribute('data-action')");
  await expect.poll(focused).toBe(actions[0]?.uuid);
  await page.keyboard.press('End');
  await expect.poll(focused).toBe(actions[2]?.uuid);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: text('column.reason') }).waitFor();
  expect(new URL(page.url()).searchParams.get('action')).toBe(actions[2]?.uuid);
  await page.getByRole('button', { name: text('plan.closeAction') }).press('Enter');
  await expect.poll(focused).toBe(actions[2]?.uuid);
});

test('the graph of 2,000 actions is drawn in groups that open by keyboard', async () => {
  const { plan } = await here.rows.plan({ actions: 0 });
  await here.stack.sql(
    `INSERT INTO actions (uuid, action_plan_id, action_type, state, parents, input_parameters)
     SELECT md5($1 || n)::uuid, $2, 'migrate', 'PENDING',
       CASE WHEN n > 1000 THEN jsonb_build_array(md5($1 || (n - 1000))::uuid) ELSE '[]' END,
       jsonb_build_object('migration_type', 'live', 'resource_id', md5('instance ' || n)::uuid, 'resource_name', 'instance-' || n,
         'source_node', 'host-' || n % 25, 'destination_node', 'host-' || 25 + n % 5)
     FROM generate_series(1, 2000) AS n`,
    [plan.uuid, plan.id],
  );
  const page = await here.open(`plans/${plan.uuid}?tab=graph`);
  const groups = page.locator('[data-testid=step][data-group]');
  await groups.first().waitFor();
  const before = await steps(page).count();
  expect(before).toBeLessThanOrEqual(300);
  await page.getByRole('button', { name: text('graph.larger') }).click();
  await page.getByTestId('minimap').waitFor();
  await page.getByRole('button', { name: text('graph.fit') }).click();
  await page.getByTestId('minimap').waitFor({ state: 'detached' });
  await groups.first().focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => steps(page).count()).toBeGreaterThan(before);
  await expect.poll(() => page.evaluate("document.activeElement?.hasAttribute('data-state')")).toBe(true);
  await page.getByRole('button', { name: text('graph.closeGroups') }).click();
  await expect.poll(() => steps(page).count()).toBe(before);
});

test('the start dialog sums the plan up and starts it', async () => {
  const { plan } = await here.rows.plan({ actions: 2 });
  const page = await here.open(`plans/${plan.uuid}`);
  await page.getByRole('button', { name: text('plan.start'), exact: true }).click();
  const dialog = page.getByRole('dialog', { name: text('plan.startTitle') });
  await dialog.getByText(text('gain.live', { count: 2 })).waitFor();
  expect(await stateOf(plan.uuid)).toBe('RECOMMENDED');
  await dialog.getByRole('button', { name: text('plan.startTitle') }).click();
  await stateShown(page).getByText('PENDING').waitFor();
  expect(await stateOf(plan.uuid)).toBe('PENDING');
});

test('the start dialog folds its options, and a daily window is stored with its zone', async () => {
  const { plan } = await here.rows.plan();
  const page = await here.open(`plans/${plan.uuid}`);
  await page.getByRole('button', { name: text('plan.start'), exact: true }).click();
  const dialog = page.getByRole('dialog', { name: text('plan.startTitle') });
  await dialog.getByRole('button', { name: text('run.options') }).waitFor();
  expect(await dialog.getByLabel(text('field.policy')).isVisible()).toBe(false);
  await dialog.getByRole('button', { name: text('run.options') }).click();
  await dialog.getByLabel(text('field.cron')).selectOption('daily');
  await dialog.getByLabel(text('run.daily')).fill('21:15');
  const zone = dialog.getByLabel(text('field.zone'));
  const ofBrowser = await page.evaluate<string>('Intl.DateTimeFormat().resolvedOptions().timeZone');
  expect(await zone.inputValue()).toBe(ofBrowser);
  await zone.selectOption('Asia/Tokyo');
  await dialog
    .getByRole('region', { name: text('run.windows') })
    .getByRole('listitem')
    .nth(2)
    .waitFor();
  await dialog.getByRole('button', { name: text('plan.startTitle') }).click();
  await stateShown(page).getByText('PENDING').waitFor();
  const { windowCron, windowSeconds, windowZone } = await here.store.db.actionPlans.get(plan.uuid);
  expect({ windowCron, windowSeconds, windowZone }).toEqual({
    ...{ windowCron: '15 21 * * *', windowSeconds: 3600, windowZone: 'Asia/Tokyo' },
  });
});

test('the start dialog says that the changes of hosts are unknown, and starts all the same', async () => {
  const { plan } = await here.rows.plan();
  const page = await here.open(`plans/${plan.uuid}`);
  await page.route(/\/staleness\b/, (route) => route.fulfill({ status: 400, json: {} }));
  await page.getByRole('button', { name: text('plan.start'), exact: true }).click();
  const dialog = page.getByRole('dialog', { name: text('plan.startTitle') });
  await dialog.getByTestId('staleness-unknown').waitFor();
  await dialog.getByRole('button', { name: text('plan.startTitle') }).click();
  await stateShown(page).getByText('PENDING').waitFor();
});

test('an open start dialog reports that another user has started the plan', async () => {
  const { plan } = await here.rows.plan();
  const page = await here.open(`plans/${plan.uuid}`);
  await page.getByRole('button', { name: text('plan.start'), exact: true }).click();
  const dialog = page.getByRole('dialog', { name: text('plan.startTitle') });
  await dialog.waitFor();
  await here.store.db.actionPlans.transition(plan.uuid, 'start');
  await dialog.getByText(text('outOfDate.title')).waitFor();
  await dialog.getByText(text('outOfDate.impossible')).waitFor();
  expect(await dialog.getByRole('button', { name: text('plan.startTitle') }).isDisabled()).toBe(true);
});

test('a running plan is paused and resumed', async () => {
  const { plan } = await here.rows.plan({ plan: { state: 'ONGOING' } });
  const page = await here.open(`plans/${plan.uuid}`);
  await page.getByRole('button', { name: text('plan.pause') }).click();
  await stateShown(page).getByText('PAUSED').waitFor();
  expect((await here.store.db.actionPlans.get(plan.uuid)).paused).toBe(true);
  await page.getByRole('button', { name: text('plan.resume') }).click();
  await page.getByRole('button', { name: text('plan.pause') }).waitFor();
  expect((await here.store.db.actionPlans.get(plan.uuid)).paused).toBe(false);
});

test('a running plan is aborted after a confirmation', async () => {
  const { plan } = await here.rows.plan({ plan: { state: 'ONGOING' } });
  const page = await here.open(`plans/${plan.uuid}`);
  await page.getByRole('button', { name: text('plan.abort') }).click();
  const dialog = page.getByRole('dialog', { name: text('plan.confirmAbort') });
  await dialog.waitFor();
  expect(await stateOf(plan.uuid)).toBe('ONGOING');
  await dialog.getByRole('button', { name: text('plan.abort') }).click();
  await page.getByText(text('plan.aborting')).waitFor();
  expect(await stateOf(plan.uuid)).toBe('CANCELLING');
});

test('a plan is cancelled and deleted', async () => {
  const { plan } = await here.rows.plan();
  const page = await here.open(`plans/${plan.uuid}`);
  await confirm(page, text('do.cancel'));
  await stateShown(page).getByText('CANCELLED').waitFor();
  await confirm(page, text('do.delete'));
  await page.getByRole('heading', { name: text('plan.unknown') }).waitFor();
  expect(await here.store.db.actionPlans.find(plan.uuid)).toBeNull();
});

test('several actions are skipped together with a reason', async () => {
  const { plan, actions } = await here.rows.plan({ actions: 3 });
  const page = await here.open(`plans/${plan.uuid}?tab=actions`);
  const boxes = page.locator('tbody').getByRole('checkbox');
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await page.getByRole('button', { name: text('plan.skipCount', { count: 2 }) }).click();
  const dialog = page.getByRole('dialog', { name: text('plan.confirmSkip', { count: 2 }) });
  await dialog.getByRole('textbox', { name: text('field.reason') }).fill('not these');
  await dialog.getByRole('button', { name: text('plan.skipCount', { count: 2 }) }).click();
  await expect.poll(() => page.getByTestId('state').getByText('SKIPPED').count()).toBe(2);
  const skipped = await Promise.all(actions.map(({ uuid }) => here.store.db.actions.get(uuid)));
  expect(skipped.filter(({ statusMessage }) => statusMessage?.includes('not these'))).toHaveLength(2);
});

test('the graph and the progress follow the states of the actions', async () => {
  const { plan, actions } = await here.rows.plan({ plan: { state: 'ONGOING' } });
  const page = await here.open(`plans/${plan.uuid}?tab=graph`);
  const inState = (state: string): Locator => page.locator(`[data-testid=step][data-state=${state}]`);
  await expect.poll(() => inState('PENDING').count()).toBe(3);
  await here.store.db.actions.transition(actions[0]?.uuid ?? '', 'begin');
  await inState('ONGOING').waitFor();
  await here.store.db.actions.transition(actions[0]?.uuid ?? '', 'succeed');
  await inState('SUCCEEDED').waitFor();
  await page
    .getByText(like('count.done', { succeeded: 1, total: 3 }))
    .first()
    .waitFor();
});

test('the map shows hosts before and after the plan, by keyboard, and the moves of the moment', async () => {
  const { plan } = await here.rows.plan({
    hosts: ['compute-1', 'compute-2'],
    plan: { state: 'ONGOING' },
    action: (place) => (place === 0 ? { state: 'ONGOING' } : {}),
  });
  const page = await here.open(`plans/${plan.uuid}?tab=map`);
  await page.getByText(text('map.moving', { count: 1 })).waitFor();
  const slider = page.getByRole('slider', { name: text('map.slider') });
  const source = page.getByTestId('map-host').filter({ hasText: '1' }).first();
  await slider.press('End');
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe(text('map.after'));
  const after = await source.getAttribute('title');
  await slider.press('Home');
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe(text('map.before'));
  expect(await source.getAttribute('title')).not.toBe(after);
});

test('the tab of hosts shows stored numbers before and after the plan', async () => {
  const { plan } = await here.rows.plan({ hosts: ['compute-1', 'compute-2'], plan: { state: 'SUCCEEDED' } });
  const page = await here.open(`plans/${plan.uuid}?tab=hosts`);
  const row = page.getByRole('row', { name: /compute-1/ });
  await row.waitFor();
  expect(await row.innerText()).toMatch(/23[\s\S]*20/);
});

/** Executes a plan as an applier does: it has an attempt of each action, which a rollback needs. */
async function execute({ audit, plan, actions }: PlanRows): Promise<void> {
  const { db } = here.store;
  await db.actionDescriptions.replaceAll([{ actionType: 'migrate', description: 'A move', revertible: 'best-effort' }]);
  await db.actionPlans.transition(plan.uuid, 'start');
  const claimed = await db.actionPlans.claim(plan.uuid, { instance: audit.uuid, host: 'test', ttlMs: 600_000 });
  const fence = claimed?.fence ?? 0;
  for (const { id, uuid } of actions) {
    await db.actions.transition(uuid, 'begin');
    const attempt = await db.actionAttempts.open(id, fence);
    await db.actionAttempts.write(attempt.id, fence, { phase: 'intent', intent: { began_ms: 1 } });
    await db.actions.transition(uuid, 'succeed');
  }
  await db.actionPlans.transition(plan.uuid, 'succeed');
}

test('the rollback dialog lists the actions that it undoes, and opens the new plan', async () => {
  const rows = await here.rows.plan();
  await execute(rows);
  const page = await here.open(`plans/${rows.plan.uuid}`);
  await page.getByRole('button', { name: text('plan.rollBack') }).click();
  const dialog = page.getByRole('dialog');
  const listed = dialog.getByRole('grid', { name: text('rollback.actions') }).getByRole('row');
  await expect.poll(() => listed.count()).toBe(1 + rows.actions.length);
  await dialog.getByRole('button', { name: text('rollback.title') }).click();
  await page.getByText(text('plan.rollsBack')).waitFor();
  expect(page.url()).not.toContain(rows.plan.uuid);
});
