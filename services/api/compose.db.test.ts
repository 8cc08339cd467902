import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newUuid, type ServiceContext } from '#libs/service-kit';
import { createStore } from '#libs/store';
import { createTestContext, useDatabase } from '#tests';
import { composeApi } from './compose.ts';
import { apiEnv } from './env.ts';

let databaseUrl: string;
let context: ServiceContext<typeof apiEnv>;
let lines: string[];

function createContext(env: Record<string, string>): ServiceContext<typeof apiEnv> {
  lines = [];
  const given = { VIGIL_DATABASE_URL: databaseUrl, VIGIL_PORT: '0', ...env };
  return createTestContext('api', apiEnv, given, { onLine: (line) => lines.push(line) });
}

beforeEach(async () => {
  ({ url: databaseUrl } = await useDatabase());
});
afterEach(async () => {
  await context.teardown.run();
});

describe('an API process', () => {
  it('serves on a database alone, warns that authentication is off, and empties the outbox', async () => {
    context = createContext({ VIGIL_AUTH: 'none' });
    const { url } = await composeApi(context);
    expect(lines.join('')).toContain('AUTHENTICATION IS OFF');
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([200, { ready: true }]);
    const store = await createStore({ url: databaseUrl, logger: context.logger });
    await store.db.outbox.add({
      eventId: newUuid(),
      type: 'audit.trigger',
      body: { schema: 'audit.trigger/1', audit_uuid: newUuid(), reason: 'created' },
    });
    await expect.poll(async () => (await store.outboxQueue.backlog()).count).toBe(0);
    await store.close();
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain('vigil_outbox_oldest_seconds');
  });

  it('accepts writes while RabbitMQ is unavailable; they wait in the outbox', async () => {
    context = createContext({ VIGIL_AUTH: 'none', VIGIL_AMQP_URL: 'amqp://nobody:nothing@127.0.0.1:9' });
    const { url } = await composeApi(context);
    expect((await fetch(`${url}/v1/goals`)).status).toBe(200);
  });

  it('says in one line that the port is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    context = createContext({ VIGIL_AUTH: 'none', VIGIL_PORT: String(port) });
    await expect(composeApi(context)).rejects.toThrow(
      `port ${port} on 127.0.0.1 is in use: set VIGIL_PORT to another one, or 0 for any`,
    );
    await new Promise((resolve) => other.close(resolve));
  });

  it('refuses to be open to the network', async () => {
    context = createContext({ VIGIL_AUTH: 'none', VIGIL_HOST: '0.0.0.0' });
    await expect(composeApi(context)).rejects.toThrow('VIGIL_AUTH=none is refused on 0.0.0.0');
  });

  it('requires a database', async () => {
    context = createContext({ VIGIL_DATABASE_URL: '' });
    await expect(composeApi(context)).rejects.toThrow('VIGIL_DATABASE_URL is not set');
  });
});
