import type { Locator } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { dataOf } from '#libs/client';
import { text } from './texts.ts';
import { useDashboard } from './use-dashboard.ts';
import { strategyNames } from './wait-for-engine.ts';

const here = useDashboard({ services: ['decision-engine'] });
beforeAll(() => strategyNames(here.stack.client));

async function middleOf(element: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: x + width / 2, y: y + height / 2 };
}

const request = (body: object) => dataOf(here.stack.client.api.POST('/v1/what_if', { body: body as never }));

test('a host page leads to the loss of the host, with the verdict and the moves of the API', async () => {
  const page = await here.open('cluster/hosts/compute-1');
  await page.getByRole('link', { name: text('whatIf.ofHost') }).click();
  const verdict = page.getByTestId('what-if-verdict');
  await verdict.waitFor();
  const response = await request({ question: 'lose', kind: 'host', names: ['compute-1'] });
  expect(await verdict.getAttribute('data-verdict')).toBe(response.verdict);
  expect(new URL(page.url()).search).toBe('?question=lose&kind=host&name=compute-1');
  const moves = page.getByRole('grid', { name: text('whatIf.movesNeeded') });
  await expect.poll(() => moves.getByRole('row').count()).toBe(1 + Math.min(10, response.moves_needed));
});

test('the exact number of places is found by keyboard, and the permanent link has it', async () => {
  const page = await here.open('what-if');
  await page.getByRole('combobox', { name: text('whatIf.change') }).selectOption('place');
  await page.getByRole('combobox', { name: text('whatIf.flavor') }).fill('m1.small');
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: text('whatIf.zone') }).fill('zone-2');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: text('picker.remove', { name: 'zone-2' }) }).waitFor();
  await page.getByRole('button', { name: text('whatIf.compute') }).press('Enter');
  const { number } = await request({ question: 'place', flavor: 'm1.small', zone: 'zone-2' });
  const shown = () => page.getByTestId('what-if-number').textContent();
  await expect.poll(shown).toBe(String(number));
  await page.reload();
  await expect.poll(shown).toBe(String(number));
});

test('the room by flavor is that of the API, without a growth that is not measured', async () => {
  const page = await here.open('what-if');
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'm1.small', exact: true }) });
  const { number } = await request({ question: 'place', flavor: 'm1.small' });
  await expect.poll(() => row.getByTestId('room-places').textContent()).toBe(String(number));
  await row.getByText(text('room.notMeasured')).waitFor();
  const links = row.getByRole('link', { name: 'zone-2' });
  await links.first().click();
  await page.getByTestId('what-if-number').waitFor();
  await page.goBack();
  await links.last().click();
  await page.waitForURL(/cluster\?aggregate=zone-2$/);
});

test('moves by hand are judged at once, are taken back, and become a plan', async () => {
  const { instances } = await here.stack.client.internal<{ instances: { uuid: string; name: string }[] }>(
    'GET',
    '/cluster/hosts/compute-1',
  );
  let moved = '';
  for (const { uuid } of instances) {
    const { verdict: found } = await request({ question: 'move', moves: [{ instance: uuid, host: 'compute-8' }] });
    if (found === 'fits') moved = uuid;
    if (moved !== '') break;
  }
  const page = await here.open('what-if?question=move');
  const choose = async (label: string, typed: string) => {
    await page.getByRole('combobox', { name: label }).fill(typed);
    await page.keyboard.press('Enter');
  };
  const verdict = page.getByTestId('what-if-verdict');
  await choose(text('column.instance'), moved);
  await choose(text('whatIf.toHost'), 'compute-1');
  await expect.poll(() => verdict.getAttribute('data-verdict')).toBe('does_not_fit');
  await page
    .getByRole('button', { name: text('whatIf.undoOne', { instance: moved.slice(0, 8), host: 'compute-1' }) })
    .click();
  await verdict.waitFor({ state: 'detached' });
  await choose(text('column.instance'), moved);
  await choose(text('whatIf.toHost'), 'compute-8');
  await expect.poll(() => verdict.getAttribute('data-verdict')).toBe('fits');
  await page.getByRole('button', { name: text('whatIf.makePlan') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: text('proposal.propose') })
    .click();
  await page.waitForURL(/\/audits\/[0-9a-f-]{36}$/);
  const audit = await here.stack.client.get('audits', new URL(page.url()).pathname.split('/').at(-1) ?? '');
  await here.stack.client.waitForAudit(audit.uuid, { pollMs: 200, timeoutMs: 60_000 });
  const [plan] = await here.stack.client.list('action_plans', { filters: { audit_uuid: audit.uuid } });
  expect(plan).toMatchObject({ state: 'RECOMMENDED' });
});

test('an instance is dragged to a host with the pointer, judged at once, and Escape ends a drag', async () => {
  const page = await here.open('what-if?question=move');
  await page.locator('[data-host="compute-1"]').click();
  const chip = page.getByTestId('move-instance').first();
  await page.getByText(text('whatIf.instancesOf', { host: 'compute-1' })).waitFor();
  await chip.waitFor();
  const uuid = (await chip.getAttribute('data-instance')) ?? '';
  const target = page.locator('[data-host="compute-8"]');
  const drag = async () => {
    await chip.hover();
    await page.mouse.down();
    await target.hover({ force: true });
    await expect.poll(() => target.getAttribute('class')).toContain('vigil-map-target');
  };
  await drag();
  await page.keyboard.press('Escape');
  await expect.poll(() => target.getAttribute('class')).not.toContain('vigil-map-target');
  await page.mouse.up();
  expect(new URL(page.url()).searchParams.getAll('instance')).toEqual([]);
  const field = page.getByRole('combobox', { name: text('whatIf.toHost') });
  expect(await field.count()).toBe(0);
  await drag();
  await page.mouse.up();
  const verdict = page.getByTestId('what-if-verdict');
  await verdict.waitFor();
  const response = await request({ question: 'move', moves: [{ instance: uuid, host: 'compute-8' }] });
  expect(await verdict.getAttribute('data-verdict')).toBe(response.verdict);
  expect(new URL(page.url()).search).toBe(`?question=move&instance=${uuid}&host=compute-8`);
  await chip.press('Enter');
  await field.waitFor();
});

test('a drag replaces the move of a link that calls the instance by its name', async () => {
  const { instances } = await here.stack.client.internal<{ instances: { uuid: string; name: string }[] }>(
    'GET',
    '/cluster/hosts/compute-1',
  );
  const [{ uuid, name } = { uuid: '', name: '' }] = instances;
  const page = await here.open(`what-if?question=move&instance=${name}&host=compute-7`);
  const moves = page.getByTestId('what-if-moves').getByRole('listitem');
  await moves.getByText(name, { exact: true }).waitFor();
  await page.locator('[data-host="compute-1"]').click();
  const chip = page.locator(`[data-instance="${uuid}"]`);
  await chip.getByText('→ compute-7').waitFor();
  const target = page.locator('[data-host="compute-8"]');
  await chip.hover();
  await page.mouse.down();
  await target.hover({ force: true });
  await expect.poll(() => target.getAttribute('class')).toContain('vigil-map-target');
  await page.mouse.up();
  await expect.poll(() => new URL(page.url()).search).toBe(`?question=move&instance=${uuid}&host=compute-8`);
  expect(await moves.count()).toBe(1);
});

test('a finger on the grip of an instance drags it', async () => {
  const page = await here.open('what-if?question=move');
  await page.locator('[data-host="compute-1"]').click();
  await page.getByText(text('whatIf.instancesOf', { host: 'compute-1' })).waitFor();
  const chip = page.getByTestId('move-instance').first();
  const target = page.locator('[data-host="compute-8"]');
  await target.scrollIntoViewIfNeeded();
  const uuid = await chip.getAttribute('data-instance');
  const from = await middleOf(chip.locator('[data-grip]'));
  const to = await middleOf(target);
  const devtools = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', [from]);
  await touch('touchMove', [{ x: from.x + 20, y: from.y + 20 }]);
  await touch('touchMove', [to]);
  await expect.poll(() => target.getAttribute('class')).toContain('vigil-map-target');
  await touch('touchEnd', []);
  await page.getByTestId('what-if-verdict').waitFor();
  expect(new URL(page.url()).search).toBe(`?question=move&instance=${uuid}&host=compute-8`);
});

test('an instance of the map is moved by keyboard too', async () => {
  const page = await here.open('what-if?question=move');
  const chip = page.getByTestId('move-instance').first();
  await chip.press('Enter');
  const field = page.getByRole('combobox', { name: text('whatIf.toHost') });
  await expect.poll(() => field.evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true);
  await field.fill('compute-7');
  await page.keyboard.press('Enter');
  await page.getByTestId('what-if-verdict').waitFor();
  expect(new URL(page.url()).searchParams.get('host')).toBe('compute-7');
});

test('an unknown name is refused on the page with the nearest one', async () => {
  const page = await here.open('what-if?question=place&flavor=m1.smal');
  await page.getByText(/did you mean m1\.small\?/).waitFor();
});
