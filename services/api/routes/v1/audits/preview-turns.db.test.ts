import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import type { MessageBus } from '#libs/messaging';
import { createFakeEngine } from '../../../testing/fake-engine.ts';
import { fault, seedCatalogue, useTestApi } from '../../../testing/test-api.ts';

const engine = createFakeEngine();
const waiting: (() => void)[] = [];
const calls: JsonObject[] = [];
const cancelled: unknown[] = [];
/** The engine, which holds each preview of the user mallory until the test releases it. */
const bus: Pick<MessageBus, 'request' | 'broadcast'> = {
  async broadcast(_topic, { id }) {
    cancelled.push(id);
  },
  async request(topic, body, options) {
    calls.push(body.call as JsonObject);
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

it('the engine receives the user and the time limit of each preview', async () => {
  calls.length = 0;
  await preview('ann', 'free');
  expect(calls).toEqual([
    { requester: expect.stringContaining('ann'), within_ms: 330_000, id: expect.stringMatching(/^req-/) },
  ]);
});

it('the engine ends the preview of a client that hangs up, and a waiting one is never requested', async () => {
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  calls.length = 0;
  const clients = [0, 1].map(() => {
    const headers = {
      'Content-Type': 'application/json',
      'X-User-Id': 'carl',
      'OpenStack-API-Version': 'infra-optim 1.4',
    };
    const client = request({ host: '127.0.0.1', port, method: 'POST', path: '/v1/audits/preview', headers });
    client.on('error', () => undefined);
    client.end(JSON.stringify({ goal: 'dummy', strategy: 'dummy', parameters: { para2: 'held' } }));
    return client;
  });
  await expect.poll(() => waiting.length).toBe(1);
  for (const client of clients) client.destroy();
  await expect.poll(() => cancelled).toEqual([calls[0]?.id]);
  expect((await preview('carl', 'free')).statusCode).toBe(200);
  expect(calls).toHaveLength(2);
  waiting.shift()?.();
});
