import { beforeAll, expect, test } from 'vitest';
import { like, text } from './texts.ts';
import { stillWorld, useDashboard } from './use-dashboard.ts';
import { strategyNames } from './wait-for-engine.ts';

/** With nodes of Ironic, which have a power state. */
const simulator = stillWorld.map((word) => word.replace('zones=3', 'zones=3,baremetal=8'));
const here = useDashboard({ services: ['decision-engine'], simulator });
beforeAll(() => strategyNames(here.stack.client));

interface Summary {
  hosts: { hostname: string; aggregates: number[] }[];
  aggregates: { id: number; name: string }[];
  load: { period_seconds: number };
}
const rules = async () =>
  (await here.stack.client.internal<{ placement_rules: object[] }>('GET', '/placement-rules')).placement_rules;
const auditOf = (url: string) => here.stack.client.get('audits', new URL(url).pathname.split('/').at(-1) ?? '');

test('the filters choose the hosts of the map and of the table, and survive a reload', async () => {
  const page = await here.open('cluster');
  const links = page.getByRole('grid', { name: text('column.hosts') }).getByRole('link', { name: /^compute-/ });
  const shown = async () => ({ map: await page.getByTestId('map-host').count(), table: await links.count() });
  await expect.poll(shown).toEqual({ map: 8, table: 8 });
  await page.getByRole('combobox', { name: text('column.zone') }).selectOption('zone-3');
  await expect.poll(shown).toEqual({ map: 2, table: 2 });
  expect((await links.allTextContents()).sort()).toEqual(['compute-3', 'compute-6']);
  await page.getByRole('combobox', { name: text('column.aggregate') }).selectOption('zone-1');
  await page.getByText(text('table.nothing')).waitFor();
  await page.getByRole('combobox', { name: text('column.zone') }).selectOption('');
  await page.reload();
  await expect.poll(shown).toEqual({ map: 3, table: 3 });
  const summary = await here.stack.client.internal<Summary>('GET', '/cluster/summary');
  const id = summary.aggregates.find(({ name }) => name === 'zone-1')?.id ?? -1;
  const inside = summary.hosts.filter(({ aggregates }) => aggregates.includes(id)).map(({ hostname }) => hostname);
  expect((await links.allTextContents()).sort()).toEqual(inside.sort());
});

test('the map groups hosts and scales its colours as the URL has it', async () => {
  const page = await here.open('cluster');
  await page.getByRole('combobox', { name: text('map.grouping') }).selectOption('zone');
  await expect.poll(() => page.getByTestId('map-group').allTextContents()).toEqual(['zone-1', 'zone-2', 'zone-3']);
  const legend = page.getByTestId('map-legend');
  await legend.getByText(/^0/).waitFor();
  await page.getByRole('button', { name: text('map.relative') }).click();
  await legend.getByText(/^0/).waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('?group=zone&scale=relative');
});

test('the title of the map has the averaging period of loads, and none for allocations', async () => {
  const { load, hosts } = await here.stack.client.internal<Summary>('GET', '/cluster/summary');
  const measure = text('cluster.measureMean', {
    measure: text('cluster.measure.cpu_load'),
    period: `${load.period_seconds / 60} min`,
  });
  const page = await here.open('cluster');
  const title = (shown: string) =>
    page.getByRole('heading', { name: text('cluster.mapTitle', { measure: shown, count: hosts.length }), exact: true });
  await title(measure).waitFor();
  await page.getByRole('combobox', { name: text('map.colour') }).selectOption('memory');
  await title(text('cluster.measure.memory')).waitFor();
});

test('a chart is read by keyboard, and keeps the value that is read when the theme changes', async () => {
  const page = await here.open('cluster');
  const chart = page.getByRole('slider', { name: text('charts.cpuLoad') });
  const last = await chart.getAttribute('aria-valuetext');
  await chart.press('Home');
  await expect.poll(() => chart.getAttribute('aria-valuenow')).toBe('0');
  const first = await chart.getAttribute('aria-valuetext');
  expect(first).not.toBe(last);
  expect(first).toContain(text('charts.mean'));
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.getByRole('button', { name: text('shell.useLight') }).waitFor();
  expect(await chart.getAttribute('aria-valuetext')).toBe(first);
});

test('the range of a chart chooses the history that is read', async () => {
  const page = await here.open('cluster');
  const day = page.waitForResponse(/history\/spread\?start=/);
  await page.getByRole('button', { name: text('charts.range.day') }).click();
  expect(((await (await day).json()) as { at: number[] }).at).not.toEqual([]);
});

test('the page of a host shows its expected load, or that it is not measured', async () => {
  const page = await here.open('cluster/hosts/compute-1');
  await page.getByText(text('forecast.unmeasured')).waitFor();
  const hours = Array.from({ length: 24 }, (_, hour) => {
    const from = new Date(Date.UTC(2026, 8, 2, hour)).toISOString();
    return { from, low: 20, expected: 30 + hour, high: 60, samples: 12, text: '' };
  });
  await page.route(/\/internal\/forecasts\/hosts\/compute-1\?/, (route) =>
    route.fulfill({ json: { season: 'week', history_days: 30, backtest: { verdict: 'won' }, hours } }),
  );
  await page.reload();
  const chart = page.getByRole('slider', { name: text('forecast.of', { host: 'compute-1' }) });
  expect(await chart.getAttribute('aria-valuetext')).toContain(`${text('forecast.line.expected')} 53`);
  const verdict = await page.getByTestId('forecast-verdict').textContent();
  expect(verdict).toBe(text('forecast.used.week', { count: 30 }));
});

test('the page of a host shows its most loaded instances first', async () => {
  const page = await here.open('cluster/hosts/compute-1');
  const cells = page.getByRole('grid', { name: text('column.instances') }).getByText(/^\d+\s%$/);
  await cells.first().waitFor();
  const loads = (await cells.allTextContents()).map(Number.parseFloat);
  expect(Math.max(...loads)).toBeGreaterThan(Math.min(...loads));
  expect(loads).toEqual(loads.toSorted((left, right) => right - left));
});

test('the page of a host shows service, power and hypervisor, and the age of a value when Nova fails', async () => {
  const page = await here.open('cluster/hosts/compute-2');
  const shown = (name: string) => page.getByTestId(`present-${name}`);
  await expect.poll(() => shown('service').textContent()).toMatch(/up\s+enabled/);
  await expect.poll(() => shown('power').textContent()).toBe('power on');
  await expect.poll(() => shown('hypervisor').textContent()).toMatch(/^QEMU/);
  await page.route(/\/internal\/properties\/host\/compute-2\/state$/, (route) =>
    route.fulfill({
      json: {
        ...{ kind: 'host', id: 'compute-2', name: 'state', stale: true, age_seconds: 30 },
        value: { uuid: 'u', state: 'down', status: 'enabled', disabled_reason: null },
        error: { code: 'loader_failed', message: 'compute responds with 503' },
      },
    }),
  );
  const old = text('now.old', { age: '30\u00a0s', reason: 'compute responds with 503' });
  await expect.poll(() => shown('service').textContent(), { timeout: 60_000 }).toContain(old);
});

test('the page of an instance shows its state, power and host in Nova', async () => {
  const { instances } = await here.stack.client.internal<{ instances: { uuid: string; state: string }[] }>(
    'GET',
    '/cluster/hosts/compute-1',
  );
  const { uuid = '' } = instances.find(({ state }) => state === 'active') ?? {};
  const page = await here.open(`cluster/instances/${uuid}`);
  await expect.poll(() => page.getByTestId('present-status').textContent()).toMatch(/active/);
  expect(await page.getByTestId('present-power').textContent()).toBe(text('now.running'));
  expect(await page.getByTestId('present-host').textContent()).toBe('compute-1');
  // No live migration runs.
  expect(await page.getByTestId('present-migration').count()).toBe(0);
});

test('a host is emptied for maintenance by an audit that starts nothing', async () => {
  const page = await here.open('cluster/hosts/compute-1');
  await page.getByRole('button', { name: text('host.empty') }).click();
  const dialog = page.getByRole('dialog', { name: text('host.emptyTitle', { host: 'compute-1' }) });
  await dialog.getByText(text('proposal.hint')).waitFor();
  await dialog.getByRole('button', { name: text('proposal.propose') }).click();
  await page.waitForURL(/\/audits\/[0-9a-f-]{36}$/);
  expect(await auditOf(page.url())).toMatchObject({
    strategy_name: 'host_maintenance',
    parameters: { maintenance_node: 'compute-1' },
    auto_trigger: false,
  });
});

test('the wizard takes over the proposal for a host', async () => {
  const page = await here.open('cluster/hosts/compute-1');
  await page.getByRole('button', { name: text('host.balance') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: text('proposal.wizard') })
    .click();
  await page.getByRole('heading', { level: 1, name: text('audits.create') }).waitFor();
  expect(new URL(page.url()).searchParams.get('strategy')).toMatch(/balance/);
});

test('the search finds an instance by its uuid from every page, by keyboard', async () => {
  const { instances } = await here.stack.client.internal<{ instances: { uuid: string; name: string }[] }>(
    'GET',
    '/cluster/hosts/compute-1',
  );
  const page = await here.open('plans');
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: text('find.label') }).fill(instances[0]?.uuid.toUpperCase() ?? '');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: instances[0]?.name, exact: true }).waitFor();
});

test('an instance is kept where it is by a rule, and released again', async () => {
  const { instances } = await here.stack.client.internal<{ instances: { uuid: string }[] }>(
    'GET',
    '/cluster/hosts/compute-2',
  );
  const uuid = instances[0]?.uuid ?? '';
  const kept = expect.objectContaining({ kind: 'leave_alone', instances: { uuids: [uuid] } });
  const page = await here.open(`cluster/instances/${uuid}`);
  const confirm = async (key: 'instance.keep' | 'instance.allowMoves') => {
    await page.getByRole('button', { name: text(key) }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: text(key) })
      .click();
  };
  await confirm('instance.keep');
  await page.getByRole('button', { name: text('instance.allowMoves') }).waitFor();
  expect(await rules()).toContainEqual(kept);
  await confirm('instance.allowMoves');
  await page.getByRole('button', { name: text('instance.keep') }).waitFor();
  expect(await rules()).not.toContainEqual(kept);
});

test('a host is left out by a rule, and taken in again', async () => {
  const page = await here.open('cluster/hosts/compute-5');
  const confirm = async (key: 'host.exclude' | 'host.include') => {
    await page.getByRole('button', { name: text(key) }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: text(key) })
      .click();
  };
  await confirm('host.exclude');
  await page.getByRole('button', { name: text('host.include') }).waitFor();
  expect(await rules()).toContainEqual(expect.objectContaining({ hosts: { names: ['compute-5'] } }));
  await confirm('host.include');
  await page.getByRole('button', { name: text('host.exclude') }).waitFor();
});

test('a rule is made for a host from a search, and shows its instances', async () => {
  const page = await here.open('rules');
  await page.getByRole('button', { name: text('rules.create') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: text('column.name'), exact: true }).fill('off two');
  await dialog.getByRole('combobox', { name: text('rules.policy') }).selectOption('avoid_hosts');
  await dialog.getByRole('textbox', { name: text('rules.names') }).fill('*');
  await dialog.getByRole('combobox', { name: text('column.hosts') }).fill('TE-2');
  await dialog.getByRole('option', { name: /compute-2/ }).click();
  await dialog.getByRole('button', { name: text('rules.createIt') }).click();
  const row = page.getByRole('row').filter({ hasText: 'off two' });
  await row.getByRole('button', { name: like('rules.violations') }).click();
  await row.getByRole('link').first().waitFor();
  expect(await rules()).toContainEqual(expect.objectContaining({ name: 'off two', hosts: { names: ['compute-2'] } }));
});

test('a rule is no longer enforced after an edit, and deleted after a confirmation', async () => {
  await here.rows.rule('edited');
  const page = await here.open('rules');
  await page.getByRole('button', { name: text('rules.editOne', { name: 'edited' }) }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: text('rules.enforced') }).uncheck();
  await dialog.getByRole('button', { name: text('rules.save') }).click();
  const row = page.getByRole('row').filter({ hasText: 'edited' });
  await row.getByText(text('rules.notEnforced')).waitFor();
  expect(await rules()).toContainEqual(expect.objectContaining({ name: 'edited', enabled: false }));
  await row.getByRole('button', { name: text('do.delete') }).click();
  await dialog.getByRole('button', { name: text('do.delete') }).click();
  await row.waitFor({ state: 'detached' });
});

// The last test, because it changes the cloud.
test('a host that is down is evacuated only after a confirmation of its fencing', async () => {
  await here.stack.control('/faults', { kind: 'host-down', host: 'compute-8' });
  const body = {
    goal: 'cluster_maintaining',
    strategy: 'host_maintenance',
    parameters: { maintenance_node: 'compute-1' },
  };
  // A dry run collects the model again.
  const isDown = async () => {
    await here.stack.client.api.POST('/v1/audits/preview', { body });
    const { hosts } = await here.stack.client.internal<{ hosts: { hostname: string; state: string }[] }>(
      'GET',
      '/cluster/summary',
    );
    return hosts.find(({ hostname }) => hostname === 'compute-8')?.state;
  };
  await expect.poll(isDown).toBe('down');
  const page = await here.open('cluster/hosts/compute-8');
  await page.getByRole('button', { name: text('host.evacuate') }).click();
  const dialog = page.getByRole('dialog');
  const propose = dialog.getByRole('button', { name: text('proposal.propose') });
  expect(await propose.isDisabled()).toBe(true);
  await dialog.getByRole('checkbox', { name: text('host.fenced', { host: 'compute-8' }) }).check();
  await propose.click();
  await page.waitForURL(/\/audits\/[0-9a-f-]{36}$/);
  expect(await auditOf(page.url())).toMatchObject({
    strategy_name: 'failed_host_evacuation',
    parameters: { fenced_hosts: ['compute-8'] },
    auto_trigger: false,
  });
});

test('a host without migrations shows that, and no search without matches', async () => {
  const page = await here.open('cluster/hosts/compute-5');
  await page.getByText(text('moves.none'), { exact: true }).waitFor();
  expect(await page.getByText(text('table.nothing'), { exact: true }).count()).toBe(0);
});

test('the overview draws the load of the last hour without the code of charts', async () => {
  const page = await here.open('overview');
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(request.url()));
  await page.reload();
  const drawing = page.getByRole('img', { name: text('charts.cpuLoad') });
  await drawing.waitFor();
  const { mean } = await here.stack.client.internal<{ mean: number[] }>('GET', '/history/spread');
  expect(await drawing.getAttribute('aria-label')).toContain(`${text('charts.mean')} ${Math.round(mean.at(-1) ?? -1)}`);
  expect(scripts.filter((url) => url.includes('time-chart'))).toEqual([]);
});
