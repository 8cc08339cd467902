import { expect, test } from 'vitest';
import { createLogger } from './create-logger.ts';

test.each([false, true])('secrets are not written (for people: %s)', (pretty) => {
  const lines: string[] = [];
  const logger = createLogger({ service: 'api', level: 'info', pretty, write: (line) => lines.push(line) });
  const secret = 'hunter2';
  logger.info({ password: secret, token: secret, user: 'ann' }, 'top');
  logger.info(
    { request: { headers: { 'x-auth-token': secret, 'X-Subject-Token': secret, cookie: secret } } },
    'headers',
  );
  logger.info({ url: `postgres://vigil:${secret}@db:5432/vigil` }, `connect to amqp://guest:${secret}@mq:5672/%2f`);
  logger.warn(
    { error: new Error(`refused by http://u:${secret}@h/`, { cause: new Error(`x://u:${secret}@h`) }) },
    'fails',
  );
  logger.child({ secret }).error({ config: { authorization: secret } }, 'child');
  expect(lines).toHaveLength(5);
  expect(lines.join('')).not.toContain(secret);
  expect(lines.join('')).toContain('ann');
  expect(lines[2]).toContain('postgres://vigil:[hidden]@db:5432/vigil');
});
