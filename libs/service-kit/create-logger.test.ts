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

test.each([false, true])('values in a log forge no line and control no terminal (for people: %s)', (pretty) => {
  const lines: string[] = [];
  const logger = createLogger({ service: 'api', level: 'info', pretty, write: (line) => lines.push(line) });
  const sent = 'x\n00:00:00.000 info  api forged\r\u001b[2J\u009b31m\u202e\u2028';
  logger.info({ name: sent, list: [sent], error: new Error(sent) }, sent);
  logger.warn({ [sent]: 1 }, 'a field');
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(line.indexOf('\n')).toBe(line.length - 1);
    expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
    expect(line).toContain('\\u001b[2J\\u009b31m');
  }
  if (!pretty) expect(JSON.parse(lines[0] ?? '')).toMatchObject({ name: sent, msg: sent });
});
