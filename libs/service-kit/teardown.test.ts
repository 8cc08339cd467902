import { expect, test } from 'vitest';
import type { Logger } from '#libs/domain';
import { createTeardown } from './teardown.ts';

test('stops in reverse order, and one failing part does not keep the others from it', async () => {
  const warnings: object[] = [];
  const logger: Logger = {
    debug() {},
    info() {},
    warn: (fields) => warnings.push(fields),
    error() {},
    child: () => logger,
  };
  const teardown = createTeardown(logger);
  const order: string[] = [];
  teardown.add('first', () => order.push('first'));
  teardown.add('broken', async () => {
    throw new Error('broken');
  });
  teardown.add('last', async () => order.push('last'));

  await teardown.run();

  expect(order).toEqual(['last', 'first']);
  expect(warnings).toMatchObject([{ part: 'broken' }]);
});

test('names the part that did not start, and stops the one that did', async () => {
  const warnings: object[] = [];
  const logger = { warn: (fields: object) => warnings.push(fields) } as unknown as Logger;
  const teardown = createTeardown(logger);
  const stopped: string[] = [];
  await teardown.start('closed', () => ({ close: () => stopped.push('closed') }));
  const part = await teardown.start('good', async () => ({ stop: () => stopped.push('good') }));
  expect(part.stop).toBeTypeOf('function');
  const broken = () => Promise.reject(new Error('no port is free'));
  await expect(teardown.start('bad', broken)).rejects.toThrow('no port is free');
  expect(warnings).toEqual([{ part: 'bad' }]);
  await teardown.run();
  expect(stopped).toEqual(['good', 'closed']);
});
