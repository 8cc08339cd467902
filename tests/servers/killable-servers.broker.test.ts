import { randomUUID } from 'node:crypto';
import amqp from 'amqplib';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import { startKillablePostgres } from './killable-postgres.ts';
import { startKillableRabbitmq } from './killable-rabbitmq.ts';
import { findCacheDir } from './start-test-servers.ts';

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000, query_timeout: 30_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

test('a killed PostgreSQL restarts on the same port with all committed data', async () => {
  const server = await startKillablePostgres(silentLogger);
  onTestFinished(server.stop);
  expect(await query(server.url, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
  await query(server.url, 'CREATE TABLE kept (number int)');
  for (const [number, signal] of (['SIGKILL', 'SIGQUIT'] as const).entries()) {
    await query(server.url, `INSERT INTO kept VALUES (${number})`);
    await server.kill(signal);
    await expect(query(server.url, 'SELECT 1')).rejects.toThrow();
    await server.restart();
  }
  expect(await query(server.url, 'SELECT number FROM kept ORDER BY number')).toEqual([{ number: 0 }, { number: 1 }]);
});

test('a frozen PostgreSQL responds when it thaws; one that loses a backend cuts all others off', async () => {
  const server = await startKillablePostgres(silentLogger);
  onTestFinished(server.stop);
  server.freeze();
  const requested = query(server.url, 'SELECT 1 AS one').catch((error: unknown) => error);
  const early = await Promise.race([requested, new Promise((resolve) => setTimeout(resolve, 300, 'nothing'))]);
  server.thaw();
  expect(early).toBe('nothing');
  expect(await requested).toEqual([{ one: 1 }]);

  const client = new pg.Client({ connectionString: server.url });
  const cut = new Promise((resolve) => client.once('error', resolve));
  await client.connect();
  server.killBackend();
  expect(await cut).toBeInstanceOf(Error);
  await expect.poll(() => query(server.url, 'SELECT 2 AS two').catch(() => null)).toEqual([{ two: 2 }]);
});

test('a RabbitMQ that is killed keeps confirmed messages; an alarm stops publishing until it is over', async () => {
  const server = await startKillableRabbitmq({ cacheDir: await findCacheDir(), logger: silentLogger });
  onTestFinished(server.stop);
  const queue = `kept-${randomUUID()}`;

  async function publish(text: string): Promise<void> {
    const connection = await amqp.connect(server.url);
    connection.on('error', () => undefined);
    try {
      const channel = await connection.createConfirmChannel();
      // Not a quorum queue, which a kill loses for some seconds after its declaration.
      await channel.assertQueue(queue, { durable: true });
      channel.sendToQueue(queue, Buffer.from(text), { persistent: true });
      await channel.waitForConfirms();
    } finally {
      await connection.close().catch(() => undefined);
    }
  }
  async function taken(): Promise<string | null> {
    const connection = await amqp.connect(server.url);
    connection.on('error', () => undefined);
    try {
      const channel = await connection.createChannel();
      // It returns when the connection ends, even before it has arrived.
      const message = await channel.get(queue);
      return message === false ? null : message.content.toString();
    } finally {
      await connection.close().catch(() => undefined);
    }
  }

  await publish('kept');
  await server.keepQueues();
  const publisher = await amqp.connect(server.url);
  publisher.on('error', () => undefined);
  const blocked = new Promise((resolve) => publisher.once('blocked', resolve));
  const unblocked = new Promise((resolve) => publisher.once('unblocked', resolve));
  await server.setMemoryAlarm(true);
  const channel = await publisher.createChannel();
  channel.sendToQueue('nowhere', Buffer.from('the first one is taken, and blocks'));
  await blocked;
  await server.setMemoryAlarm(false);
  await unblocked;
  await publisher.close();

  await server.kill('SIGKILL');
  await expect(amqp.connect(server.url)).rejects.toThrow();
  await server.restart();
  await expect.poll(() => taken().catch(String)).toBe('kept');
});
