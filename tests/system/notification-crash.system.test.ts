import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { newSigningSecret } from '#libs/notification-targets';
import { useStore } from '#tests';
import { atEnd } from '../at-end.ts';
import { insertPlanWorld } from '../builders.ts';
import { useVigil } from './use-vigil.ts';

const { store, url } = await useStore();
/** Waits of the test. A lost attempt is repeated after its time limit and 10 s. */
const patient = { timeout: 90_000, interval: 100 };

const startScheduler = (host: string) =>
  useVigil(['scheduler'], {
    VIGIL_DATABASE_URL: url,
    VIGIL_HOST_ID: host,
    VIGIL_NOTIFICATION_ALLOWED_HOSTS: 'http://127.0.0.1',
    VIGIL_NOTIFICATION_TIMEOUT_SECONDS: '2',
  });

/** A receiver that calls `before` with the number of each request, and accepts it afterwards. */
async function startReceiver(before: (count: number) => Promise<void>) {
  const requests: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', async () => {
      requests.push({ headers: request.headers, body });
      await before(requests.length);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

it('a scheduler that is killed after a delivery and before its record repeats it once, with the same id', async () => {
  const { plan } = await insertPlanWorld(store.db, { actions: 1 });
  const first = await startScheduler('first');
  const receiver = await startReceiver(async (count) => {
    if (count === 1) await first.kill();
  });
  const target = { uuid: randomUUID(), name: 'pager', source: 'api', shownUrl: receiver.url } as const;
  await store.db.notificationTargets.insert(
    { ...target, format: 'json', kinds: ['plan.approval_wanted'], enabled: true },
    { url: receiver.url, secret: newSigningSecret(), bearerToken: null },
  );
  const data = { reason: 'above 10 migrations' };
  await store.db.notificationEvents.announcePlan({ kind: 'plan.approval_wanted', planUuid: plan.uuid, data });
  await first.ended;
  const [delivery] = await store.db.notificationDeliveries.list({ limit: 10 });
  expect(delivery).toMatchObject({ endedAt: null, statusCode: null });
  expect(receiver.requests).toHaveLength(1);

  await startScheduler('second');
  const ended = async () => (await store.db.notificationDeliveries.list({ limit: 10 }))[0];
  await expect.poll(async () => (await ended())?.endedAt, patient).not.toBeNull();
  expect(await ended()).toMatchObject({ uuid: delivery?.uuid, statusCode: 204, reason: null });
  const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
  expect(ids).toEqual([delivery?.uuid, delivery?.uuid]);
  expect(receiver.requests[1]?.body).toBe(receiver.requests[0]?.body);
});
