import { expect, it } from 'vitest';
import type { Logger } from '#libs/domain';
import { seedCatalogue, useTestApi } from '../testing/test-api.ts';

const lines: { level: string; message: string }[] = [];
const write = (level: string) => (_fields: object, message: string) => lines.push({ level, message });
const logger: Logger = {
  debug: write('debug'),
  info: write('info'),
  warn: write('warn'),
  error: write('error'),
  child: () => logger,
};
const badScope = [{ compute: [{ host_aggregates: [{ id1: '*' }] }] }];

const api = await useTestApi({ logger });
await seedCatalogue(api.store);
await api.send('POST', '/v1/audit_templates', { name: 't', goal: 'dummy' });
const audit = { name: 'a', goal: 'dummy', audit_type: 'CONTINUOUS', interval: '60' };
expect((await api.send('POST', '/v1/audits', audit)).statusCode).toBe(201);

const replace = (path: string, value: unknown) => [{ op: 'replace', path, value }];

it.each([
  ['PATCH', '/v1/audits/a', replace('/interval', 'zxc'), 400],
  ['PATCH', '/v1/audits/a', replace('/interval', '99 * * * *'), 400],
  ['PATCH', '/v1/audits/a', replace('/scope', badScope), 400],
  ['PATCH', '/v1/audits/a', replace('/scope', ['text']), 400],
  ['PATCH', '/v1/audit_templates/t', replace('/scope', badScope), 400],
  ['PATCH', '/v1/audit_templates/t', [{ op: 'add', path: '/scope/0', value: 'x' }], 400],
  // Watcher's own tests pin these two.
  ['POST', '/v1/audits', { goal: 'dummy', audit_type: 'CONTINUOUS', interval: 'zxc' }, 500],
  ['POST', '/v1/audit_templates', { name: 'x', goal: 'dummy', scope: badScope }, 500],
  ['POST', '/v1/audits/preview', { goal: 'dummy', scope: badScope }, 400],
  ['POST', '/v1/audits', { goal: 'nothing', audit_type: 'ONESHOT' }, 404],
] as const)('%s %s with bad input %j is %i, and no error of ours', async (method, path, body, status) => {
  lines.length = 0;
  const response = await api.send(method, path, body);
  expect(response.statusCode, response.body).toBe(status);
  expect(lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
  if (status === 500) expect(lines).toContainEqual({ level: 'info', message: 'request refused' });
});
