import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { newSigningSecret, parseAllowedHosts } from '#libs/notification-targets';
import { useTestApi } from '../api/testing/test-api.ts';
import { startDelivering } from '../scheduler/testing/delivery-scene.ts';
import { respond, startReceiver } from '../scheduler/testing/recording-receiver.ts';
import { runVigil } from './testing/run-vigil.ts';

const receiver = await startReceiver([respond(404)]);
const api = await useTestApi({ targetHosts: () => parseAllowedHosts(['http://receiver.test']) });
const url = await api.listen();
startDelivering(api.store);
const folder = mkdtempSync(join(tmpdir(), 'vigil-notification-'));
afterAll(() => rmSync(folder, { recursive: true }));

const vigil = (...args: string[]) =>
  runVigil(['notification', ...args], { env: { VIGIL_API_URL: url }, pollMs: 50, columns: 80 });
const json = async (...args: string[]) => JSON.parse((await vigil(...args, '--json')).out);
function fileOf(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, `${text}\n`);
  return file;
}

it('creates, tests, lists, changes, rotates and deletes a target, and sends a dead letter again', async () => {
  const made = await json('target', 'create', 'pager', '--address', receiver.url(), '-k', 'plan.failed');
  expect(made).toMatchObject({ name: 'pager', format: 'json', kinds: ['plan.failed'] });
  const refused = await vigil('test', 'pager');
  expect(refused.code).toBe(1);
  expect(refused.err).toContain('the receiver refused it with 404');
  const list = await vigil('delivery', 'list', '--state', 'DEAD', '--target', 'pager');
  expect(list.out).toMatch(/pager.*target\.test.*DEAD/);
  for (const line of list.out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  const { resent } = await json('delivery', 'resend', '--dead', '--target', 'pager');
  expect(resent).toHaveLength(1);
  await expect
    .poll(async () => (await json('delivery', 'show', resent[0])).state, { timeout: 30_000 })
    .toBe('DELIVERED');
  expect(await json('test', 'pager')).toMatchObject({ state: 'DELIVERED', kind: 'target.test' });

  const bearer = fileOf('bearer', 'word');
  const secret = fileOf('secret', newSigningSecret());
  expect(await json('target', 'set', 'pager', '--all-kinds', '--secret-file', secret)).toMatchObject({ kinds: null });
  await json('target', 'set', 'pager', '--bearer-file', bearer);
  await json('test', 'pager');
  expect(receiver.requests.at(-1)?.headers.authorization).toBe('Bearer word');
  const rotated = await json('target', 'rotate', 'pager');
  expect(rotated.secret).not.toBe(made.secret);
  expect((await vigil('target', 'show', 'pager')).out).not.toContain('whsec_');
  const table = (await vigil('target', 'list')).out;
  for (const line of table.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  expect(await json('target', 'delete', 'pager')).toEqual({ deleted: ['pager'] });
});

it.each([
  [['target', 'create', 'a'], '--address or --address-file'],
  [['target', 'create', 'a', '--address', 'https://127.0.0.1/'], 'loopback'],
  [['target', 'create', 'a', '--address', 'x', '--address-file', 'y'], 'exclude each other'],
  [['target', 'create', 'a', '--address', 'https://a.example/', '-k', 'plan.faild'], 'Did you mean plan.failed?'],
  [['target', 'create', 'a', '--address-file', '/nothing'], 'cannot be read'],
  [['target', 'set', 'a'], 'specify at least one change'],
  [['target', 'show', 'nothing'], 'nothing'],
  [['delivery', 'resend'], 'specify deliveries'],
  [['delivery', 'list', '--state', 'DAED'], 'Did you mean DEAD?'],
])('refuses %j', async (words, text) => {
  const { code, err } = await vigil(...words);
  expect(code).not.toBe(0);
  expect(err).toContain(text);
});
