import { expect, it } from 'vitest';
import { fault, seedCatalogue, useTestApi } from '../testing/test-api.ts';

const api = await useTestApi();
await seedCatalogue(api.store);
await api.send('POST', '/v1/audit_templates', { name: 't', goal: 'dummy' });

const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);
const audit = (parameters: object) => ({ goal: 'dummy', strategy: 'dummy', audit_type: 'ONESHOT', parameters });
const zones = (count: number) => ({ goal: 'dummy', scope: [{ compute: [{ availability_zones: times(count, 1) }] }] });
const minor = { 'OpenStack-API-Version': 'infra-optim 1.7' };

it.each<[string, 'POST' | 'PATCH', string, unknown, string]>([
  ['values', 'POST', '/v1/audits/preview', zones(50_001), 'At most 50000 values'],
  [
    'depth',
    'POST',
    '/v1/audits',
    audit({ para2: JSON.parse('['.repeat(101) + ']'.repeat(101)) }),
    'At most 100 levels',
  ],
  ['parameters', 'POST', '/v1/audits', audit({ para2: 'x'.repeat(65_536) }), 'At most 65535 bytes'],
  [
    'default parameters',
    'POST',
    '/v1/audit_templates',
    { name: 'd', goal: 'dummy', strategy: 'dummy', default_parameters: { para2: 'x'.repeat(65_536) } },
    'At most 65535 bytes',
  ],
  [
    'operations',
    'PATCH',
    '/v1/audit_templates/t',
    times(501, { op: 'replace', path: '/name', value: 't' }),
    'At most 500 operations',
  ],
])('%s are bounded', async (_name, method, path, body, text) => {
  const refused = fault(await api.send(method, path, body, minor));
  expect(refused).toMatchObject({ status: 400, text: expect.stringContaining(text) });
});

it('a refusal shows the start of a large value, and the reason', async () => {
  const listed = await api.send('POST', '/v1/audits', audit(times(40_000, 1)));
  expect(fault(listed)).toMatchObject({ status: 400, text: expect.stringContaining('Value not a valid dict') });
  const worded = await api.send('POST', '/v1/audits', { goal: 'dummy', audit_type: 'x'.repeat(900_000) });
  expect(worded.statusCode).toBe(400);
  for (const { body } of [listed, worded]) expect(body.length).toBeLessThan(10_000);
});

it('a scope with many wrong entries names the first', async () => {
  const refused = fault(await api.send('POST', '/v1/audits/preview', zones(40_000)));
  expect(refused).toMatchObject({ status: 400, text: expect.stringContaining("['availability_zones'][0]") });
  expect(refused.text.length).toBeLessThan(10_000);
});
