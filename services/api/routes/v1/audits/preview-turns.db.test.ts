import { expect, it } from 'vitest';
import type { MessageBus } from '#libs/messaging';
import { createFakeEngine } from '../../../testing/fake-engine.ts';
import { fault, seedCatalogue, useTestApi } from '../../../testing/test-api.ts';

const engine = createFakeEngine();
const waiting: (() => void)[] = [];
/** The engine, which holds each preview of the user mallory until the test releases it. */
const bus: Pick<MessageBus, 'request'> = {
  async request(topic, body, options) {
    if (JSON.stringify(body).includes('held')) await new Promise<void>((resolve) => waiting.push(resolve));
    return engine.request(topic, body, options);
  },
};
const api = await useTestApi({ bus });
await seedCatalogue(api.store);
const preview = (user: string, para2: string) =>
  api.send(
    'POST',
    '/v1/audits/preview',
    { goal: 'dummy', strategy: 'dummy', parameters: { para2 } },
    { 'X-User-Id': user },
  );

it('previews of one user take turns, are limited, and do not delay those of another user', async () => {
  const held = Array.from({ length: 5 }, () => preview('mallory', 'held'));
  await expect.poll(() => waiting.length).toBe(1);
  const refused = await preview('mallory', 'held');
  expect(fault(refused)).toMatchObject({ status: 429, text: expect.stringMatching(/At most 5 previews/) });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await preview('ann', 'free')).statusCode).toBe(200);
  expect(waiting).toHaveLength(1);
  for (let round = 0; round < 5; round += 1) {
    await expect.poll(() => waiting.length).toBe(1);
    waiting.shift()?.();
  }
  expect((await Promise.all(held)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
});
