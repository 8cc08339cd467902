import { expect, it } from 'vitest';
import { fault, seedCatalogue, useTestApi } from '../api/testing/test-api.ts';
import { runVigil } from './testing/run-vigil.ts';

const api = await useTestApi();
await seedCatalogue(api.store);
const url = await api.listen();
const { audits } = api.store.db;

const vigil = (...args: string[]) => runVigil(['audit', ...args], { env: { VIGIL_API_URL: url } });
const json = async (...args: string[]) => JSON.parse((await vigil(...args, '--json')).out);
const patch = (uuid: string, value: boolean) =>
  api.send('PATCH', `/v1/audits/${uuid}`, [{ op: 'replace', path: '/auto_trigger', value }]);

it('creates an audit with a level, shows its rule and changes it', async () => {
  const { uuid } = await json('create', '-g', 'dummy', '--automation-level', '2');
  expect(await audits.get(uuid)).toMatchObject({ automationLevel: 2, autoTrigger: true });
  expect(await json('automation', uuid)).toMatchObject({ level: 2, rule: { highest_share_percent: 90 } });
  expect(await json('automation', uuid, '--automation-level', '0')).toMatchObject({ level: 0, rule: {} });
  expect(await audits.get(uuid)).toMatchObject({ automationLevel: 0, autoTrigger: false });
});

it('auto_trigger of a client of Watcher is level 3 or 1', async () => {
  const { uuid } = await json('create', '-g', 'dummy', '--automation-level', '2');
  const levelAfter = async (value: boolean) => {
    expect((await patch(uuid, value)).statusCode).toBe(200);
    return (await json('automation', uuid)).level;
  };
  expect(await levelAfter(false)).toBe(1);
  expect(await levelAfter(true)).toBe(3);
  const made = await json('create', '-g', 'dummy', '--auto-trigger');
  expect((await json('automation', made.uuid)).level).toBe(3);
});

it('refuses other levels, and a level that contradicts auto_trigger', async () => {
  expect((await vigil('create', '-g', 'dummy', '--automation-level', '4')).err).toContain('0, 1, 2, 3');
  const body = { audit_type: 'ONESHOT', goal: 'dummy' };
  for (const wrong of [{ automation_level: 4 }, { automation_level: '2' }, { automation_level: 1, auto_trigger: true }])
    expect(fault(await api.send('POST', '/v1/audits', { ...body, ...wrong }))).toMatchObject({
      status: 400,
      text: expect.stringContaining('automation_level'),
    });
});
