import { expect, it } from 'vitest';
import { seedCatalogue, useTestApi } from '../api/testing/test-api.ts';
import { runVigil } from './testing/run-vigil.ts';

const api = await useTestApi();
await seedCatalogue(api.store);
await api.send('POST', '/v1/audits', { audit_type: 'EVENT', goal: 'dummy', name: 'on-alert' });
const url = await api.listen();

const vigil = (...args: string[]) => runVigil(['audit', 'token', ...args], { env: { VIGIL_API_URL: url } });
const json = async (...args: string[]) => JSON.parse((await vigil(...args, '--json')).out);

it('creates, shows, changes, rotates and revokes a token', async () => {
  const made = await json('create', 'on-alert', '--label', 'host=instance', '--repeat', '0');
  expect(made).toMatchObject({ labels: { host: 'instance' }, repeat_seconds: 0, valid: true });
  expect(made.token).toMatch(/^vigil_alert_/);
  const shown = await vigil('show', 'on-alert');
  expect(shown.out).toContain('instance');
  expect(shown.out).not.toContain(made.token);
  expect(await json('set', 'on-alert', '-l', 'zone=az', '-l', 'aggregate=group')).toMatchObject({
    labels: { zone: 'az', aggregate: 'group' },
    repeat_seconds: 0,
  });
  expect(await json('set', 'on-alert', '--no-labels', '--repeat', '60')).toMatchObject({
    labels: {},
    repeat_seconds: 60,
  });
  const rotated = await json('rotate', 'on-alert');
  expect(rotated.token).not.toBe(made.token);
  expect(rotated).toMatchObject({ repeat_seconds: 60, rotated_at: expect.any(String) });
  expect(await json('revoke', 'on-alert')).toEqual({ revoked: 'on-alert' });
  expect(await json('show', 'on-alert')).toMatchObject({ valid: false });
});

it.each([
  [['create', 'on-alert', '--label', 'hots=instance'], 'did you mean "host"?'],
  [['create', 'on-alert', '--label', 'host'], 'element=label'],
  [['create', 'on-alert', '--repeat', 'x'], 'whole number'],
  [['set', 'on-alert'], 'specify at least one change'],
  [['set', 'on-alert', '--no-labels', '-l', 'host=a'], 'exclude each other'],
  [['rotate', 'nothing'], 'nothing'],
])('refuses %j', async (words, text) => {
  const { code, err } = await vigil(...words);
  expect(code).not.toBe(0);
  expect(err).toContain(text);
});
