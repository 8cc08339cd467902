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
