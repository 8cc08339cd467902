import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import type { MessageBus } from '#libs/messaging';
import { createTcpProxy, createTestDatabase, runSql, useDatabase } from '#tests';
import {
  ack,
  type CreateHarness,
  collectTasks,
  describeMessageBusContract,
  publishAll,
  task,
  taskDefinition,
  until,
} from '../testing/index.ts';
import { createPostgresBus } from './index.ts';

const { url: databaseUrl } = await useDatabase();

const createHarness: CreateHarness = async (catalogue) => {
  const target = new URL(databaseUrl);
  const proxy = await createTcpProxy({ host: target.hostname, port: Number(target.port) });
  const url = new URL(databaseUrl);
  url.port = String(proxy.port);
  const prefix = `test-${randomUUID().slice(0, 8)}`;
  const buses: MessageBus[] = [];
  return {
    proxy,
    async createBus({
      catalogue: known = catalogue,
      logger = silentLogger,
      publishTimeoutMs,
      newerVersionMs,
      losesMessagesSoon = false,
    } = {}) {
      const bus = await createPostgresBus({
        ...{ catalogue: known, publishTimeoutMs, newerVersionMs, prefix, url: url.href, logger, appId: 'contract' },
        ...{ visibilityMs: losesMessagesSoon ? 600 : 60_000, pollMs: 1000 },
      });
      buses.push(bus);
      return bus;
    },
    async plant({ content, publishedAt }) {
      await runSql(
        databaseUrl,
        `INSERT INTO bus_messages (queue, message_id, type, body, app_id, published_at)
         VALUES ($1, $2, 'task.run', $3, 'stranger', $4)`,
        [`${prefix}.worker.task.run`, randomUUID(), content, String(publishedAt ?? new Date().toISOString())],
      );
    },
    async dispose() {
      await Promise.all(buses.map((bus) => bus.close()));
      await proxy.close();
    },
  };
};

describeMessageBusContract('Postgres', createHarness);

describe('the Postgres bus itself', () => {
  const options = () => ({ url: databaseUrl, logger: silentLogger, appId: 'test', catalogue: [taskDefinition()] });

  async function query(text: string, values: unknown[] = []) {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      return await client.query(text, values);
    } finally {
      await client.end();
    }
  }

  it('receives a message on its notification, however rarely it polls', async () => {
    const bus = await createPostgresBus({ ...options(), prefix: 'told', pollMs: 3_600_000 });
    const seen = await collectTasks(bus);
    for (let number = 0; number < 20; number += 1) {
      await publishAll(bus, [task(number)]);
      await until('delivery', () => seen.length === number + 1);
    }
    await bus.close();
  });

  it('finds messages without a notification by polling', async () => {
    const bus = await createPostgresBus({ ...options(), prefix: 'polling', pollMs: 200 });
    const seen = await collectTasks(bus);
    const { messageId, body } = task(1);
    await query(
      `INSERT INTO bus_messages (queue, message_id, type, body, app_id, published_at)
       VALUES ('polling.worker.task.run', $1, 'task.run', $2, 'test', now()::text)`,
      [messageId, body],
    );
    await until('delivery', () => seen.length === 1);
    expect(seen.map((envelope) => envelope.messageId)).toEqual([messageId]);
    await bus.close();
  });

  it('queries an empty queue once per poll', async () => {
    const appId = `idle-${randomUUID().slice(0, 8)}`;
    const bus = await createPostgresBus({ ...options(), prefix: 'idle', appId, pollMs: 3_600_000 });
    await bus.consume('task.run', async () => ack, { prefetch: 1 });
    // The probe of the waiting connection is no poll, and the pool ends idle connections.
    const statements = async () =>
      (
        await query(
          `SELECT pid, state, query_start FROM pg_stat_activity
           WHERE application_name = $1 AND query <> 'SELECT 1' ORDER BY pid`,
          [appId],
        )
      ).rows;
    let before = await statements();
    await until('the first poll', async () => {
      const now = await statements();
      const isIdle = now.every(({ state }) => state === 'idle') && isDeepStrictEqual(before, now);
      before = now;
      return isIdle;
    });
    for (let round = 0; round < 50; round += 1) await query('SELECT 1');
    expect(before).toEqual(expect.arrayContaining(await statements()));
    await bus.close();
  });

  it('keeps a message hidden for as long as its handler runs', async () => {
    const bus = await createPostgresBus({ ...options(), prefix: 'renewal', visibilityMs: 900, pollMs: 50 });
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await bus.consume(
      'task.run',
      async () => {
        await released;
        return ack;
      },
      { prefetch: 1 },
    );
    await publishAll(bus, [task(1)]);
    const rows = async () =>
      (await query(`SELECT visible_at, deliveries FROM bus_messages WHERE queue LIKE 'renewal%'`)).rows;
    await until('delivery', async () => (await rows())[0].deliveries === 1);
    const [claimed] = await rows();
    // It has only one handler, so nothing but renewals can move the time.
    for (let renewal = 1; renewal <= 4; renewal += 1) {
      const [before] = await rows();
      await until(`renewal ${renewal}`, async () => (await rows())[0].visible_at > before.visible_at);
    }
    expect((await rows())[0].visible_at - claimed.visible_at).toBeGreaterThan(900);
    expect((await rows())[0].deliveries).toBe(1);
    release();
    await until('end', async () => (await rows()).length === 0);
    await bus.close();
  });

  it('continues after the server has ended all its connections', async () => {
    const appId = `ended-${randomUUID().slice(0, 8)}`;
    const bus = await createPostgresBus({ ...options(), prefix: 'ended', appId });
    const seen = await collectTasks(bus);
    const ended = await query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [
      appId,
    ]);
    expect(ended.rowCount).toBeGreaterThan(0);
    await publishAll(bus, [task(1)]);
    await until('delivery', () => seen.length === 1);
    await until('probe', () =>
      bus.probe().then(
        () => true,
        () => false,
      ),
    );
    await bus.close();
  });

  it('ignores notifications of other buses', async () => {
    const bus = await createPostgresBus({ ...options(), prefix: 'strange' });
    const seen: unknown[] = [];
    await bus.subscribe('news', (body) => seen.push(body));
    for (const payload of ['', 'no JSON', 'null', '7', '[]', '{"kind":"broadcast"}', '{"kind":"work","name":{}}']) {
      await query('SELECT pg_notify($1, $2)', ['strange_bus', payload]);
    }
    await bus.broadcast('news', { number: 1 });
    await until('broadcast', () => seen.length > 0);
    expect(seen).toEqual([{ number: 1 }]);
    await bus.close();
  });

  it('keeps installations with different prefixes apart', async () => {
    const one = await createPostgresBus({ ...options(), prefix: 'one' });
    const two = await createPostgresBus({ ...options(), prefix: 'two' });
    let seen = 0;
    await two.consume(
      'task.run',
      async () => {
        seen += 1;
        return ack;
      },
      { prefetch: 1 },
    );
    await one.consume('task.run', async () => ({ kind: 'dead', reason: 'mine' }), { prefetch: 1 });
    await publishAll(one, [task(1)]);
    await until('dead letter', async () => (await one.deadLetters(5)).length === 1);
    expect(await two.deadLetters(5)).toEqual([]);
    expect(seen).toBe(0);
    await one.close();
    await two.close();
  });

  it('names the remedy when it cannot start, without the password', async () => {
    const wrongPassword = new URL(databaseUrl);
    wrongPassword.password = 'sesame-open';
    await expect(createPostgresBus({ ...options(), url: wrongPassword.href })).rejects.toThrow(
      /refuses user vigil: check name and password in VIGIL_DATABASE_URL$/,
    );
    const wrongPort = new URL(databaseUrl);
    wrongPort.port = '1';
    const error = await createPostgresBus({ ...options(), url: wrongPort.href }).catch(String);
    expect(error).toMatch(/cannot be reached at 127\.0\.0\.1:1\//);
    expect(error).not.toContain(wrongPort.password);
    const wrongDatabase = new URL(databaseUrl);
    wrongDatabase.pathname = '/nowhere';
    await expect(createPostgresBus({ ...options(), url: wrongDatabase.href })).rejects.toThrow(/no such database/);
    await expect(createPostgresBus({ ...options(), url: 'mysql://a:b@c/d' })).rejects.toThrow(
      /must have the form postgres/,
    );
    const empty = await createTestDatabase({ migrated: false });
    await expect(createPostgresBus({ ...options(), url: empty.url })).rejects.toThrow(/run the migrations first/);
    await empty.drop();
  });
});
