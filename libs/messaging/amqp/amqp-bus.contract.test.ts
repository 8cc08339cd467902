import { randomUUID } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { type ChannelModel, connect } from 'amqplib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Logger, silentLogger } from '#libs/domain';
import type { MessageBus, MessageDefinition } from '#libs/messaging';
import { createTcpProxy, testServerUrl } from '#tests';
import { BusUnavailableError } from '../errors.ts';
import {
  ack,
  type CreateHarness,
  collectTasks,
  describeMessageBusContract,
  numberOf,
  publishAll,
  task,
  taskDefinition,
  until,
} from '../testing/index.ts';
import { createAmqpConnection } from './connection.ts';
import { createAmqpBus } from './index.ts';
import { amqpNames } from './topology.ts';

const brokerUrl = new URL(testServerUrl('rabbitmq'));
/** Shorter than the default, so that tests of lost channels are short. */
const retryMs = 50;
/** Topics of all tests. */
const topics = ['echo', 'failing', 'slow', 'nobody', 'gone', 'shared', 'ping'];

let admin: ChannelModel;
beforeAll(async () => {
  admin = await connect(brokerUrl.href);
});
afterAll(() => admin.close());

async function removeTopology(prefix: string, catalogue: readonly MessageDefinition[]): Promise<void> {
  const names = amqpNames(prefix);
  const queues = catalogue.flatMap((definition) => [
    names.queue(definition),
    ...definition.retrySeconds.map((seconds) => names.retryQueue(definition, seconds)),
  ]);
  const channel = await admin.createChannel();
  await Promise.all(
    [names.deadQueue, ...queues, ...topics.map(names.requestQueue)].map((queue) => channel.deleteQueue(queue)),
  );
  for (const exchange of [names.work, names.retry, names.dead, names.events]) await channel.deleteExchange(exchange);
  await channel.close();
}

const createHarness: CreateHarness = async (catalogue) => {
  const proxy = await createTcpProxy({ host: brokerUrl.hostname, port: Number(brokerUrl.port) });
  const url = new URL(brokerUrl);
  url.port = String(proxy.port);
  const prefix = `test-${randomUUID().slice(0, 8)}`;
  const buses: MessageBus[] = [];
  return {
    proxy,
    async createBus({ catalogue: known = catalogue, logger = silentLogger, publishTimeoutMs, newerVersionMs } = {}) {
      const bus = await createAmqpBus({
        ...{ catalogue: known, publishTimeoutMs, newerVersionMs, prefix, url: url.href, logger, appId: 'contract' },
        retryMs,
      });
      buses.push(bus);
      return bus;
    },
    async plant({ content, publishedAt }) {
      const channel = await admin.createConfirmChannel();
      const properties = { type: 'task.run', messageId: randomUUID(), timestamp: publishedAt };
      channel.publish(`${prefix}.work`, 'task.run', Buffer.from(content), properties);
      await channel.waitForConfirms();
      await channel.close();
    },
    async dispose() {
      await Promise.all(buses.map((bus) => bus.close()));
      await proxy.close();
      await removeTopology(prefix, catalogue);
    },
  };
};

describeMessageBusContract('RabbitMQ', createHarness);

describe('the AMQP bus itself', () => {
  const catalogue = [taskDefinition()];
  const cleanups: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  function freshPrefix(): string {
    const prefix = `test-${randomUUID().slice(0, 8)}`;
    cleanups.push(() => removeTopology(prefix, catalogue));
    return prefix;
  }

  async function createBus(
    prefix: string,
    changes: { url?: string; logger?: Logger; startWithoutBroker?: boolean } = {},
  ) {
    const common = { url: brokerUrl.href, logger: silentLogger, appId: 'engine-1', catalogue, retryMs };
    const bus = await createAmqpBus({ ...common, prefix, ...changes });
    cleanups.push(() => bus.close());
    return bus;
  }

  it('sends the messages of the contract in the README', async () => {
    const prefix = freshPrefix();
    const bus = await createBus(prefix);
    const sent = task(3);
    await publishAll(bus, [sent]);
    const channel = await admin.createChannel();
    const message = await channel.get(`${prefix}.worker.task.run`, { noAck: true });
    await channel.close();
    if (message === false) throw new Error('there is no message');
    expect(JSON.parse(message.content.toString())).toEqual(sent.body);
    expect(message.fields).toMatchObject({ exchange: `${prefix}.work`, routingKey: 'task.run' });
    expect(message.properties).toMatchObject({
      messageId: sent.messageId,
      type: 'task.run',
      contentType: 'application/json',
      deliveryMode: 2,
      timestamp: Math.floor(Date.parse(sent.timestamp) / 1000),
      appId: 'engine-1',
      correlationId: 'req-3',
      headers: { 'x-schema': 'task.run/1', 'x-attempt': 0 },
    });
  });

  it('keeps a message that cannot be delivered, retries less and less often, and reports the reason', async () => {
    const prefix = freshPrefix();
    const reported: Record<string, unknown>[] = [];
    const logger: Logger = {
      ...silentLogger,
      warn: (fields: object, text: string) => void reported.push({ ...fields, text }),
      child: () => logger,
    };
    const bus = await createBus(prefix, { logger });
    const names = amqpNames(prefix);
    const channel = await admin.createChannel();
    for (const seconds of taskDefinition().retrySeconds) {
      await channel.deleteQueue(names.retryQueue(taskDefinition(), seconds));
    }
    await channel.close();
    const attempts: number[] = [];
    const consumer = await bus.consume(
      'task.run',
      async ({ attempt }) => {
        attempts.push(attempt);
        return attempt === 0 ? { kind: 'retry', reason: 'not yet' } : ack;
      },
      { prefetch: 1 },
    );
    cleanups.push(() => consumer.stop());
    await publishAll(bus, [task(1)]);
    const failures = () => reported.filter(({ text }) => text === 'cannot forward message, retrying');
    await until('it was tried twice', async () => failures().length >= 2);
    expect(failures().slice(0, 2)).toMatchObject([
      { error: expect.stringContaining('no queue is bound'), tries: 1, seconds: retryMs / 1000 },
      { error: expect.stringContaining('no queue is bound'), tries: 2, seconds: (2 * retryMs) / 1000 },
    ]);
    expect(attempts).toEqual([0]);
    await createBus(prefix);
    await until('it is delivered again', async () => attempts.length === 2);
    expect(attempts).toEqual([0, 1]);
  });

  it('declares queues that outlive a restart of the broker', async () => {
    const definition = taskDefinition();
    const prefix = `durable-${randomUUID().slice(0, 8)}`;
    const url = brokerUrl.href;
    const bus = await createAmqpBus({
      catalogue: [definition],
      prefix,
      url,
      logger: silentLogger,
      appId: 'durable',
    });
    const channel = await admin.createChannel();
    const refused = new Promise<Error>((resolve) => channel.on('error', resolve));
    const names = amqpNames(prefix);
    await channel.assertQueue(names.queue(definition), { durable: false }).catch(() => undefined);
    expect((await refused).message).toContain("inequivalent arg 'durable'");
    await bus.close();
    await removeTopology(prefix, [definition]);
  });

  it('reports a message that no queue takes', async () => {
    const prefix = freshPrefix();
    const bus = await createBus(prefix);
    const channel = await admin.createChannel();
    await channel.deleteQueue(`${prefix}.worker.task.run`);
    await channel.close();
    expect(await bus.publish([task(1)])).toEqual([`no queue is bound to ${prefix}.work for task.run`]);
  });

  it('buries messages of others that break the contract', async () => {
    const prefix = freshPrefix();
    const bus = await createBus(prefix);
    let handled = 0;
    await bus.consume(
      'task.run',
      async () => {
        handled += 1;
        return ack;
      },
      { prefetch: 1 },
    );
    const channel = await admin.createChannel();
    const options = { type: 'task.run', messageId: randomUUID() };
    channel.publish(`${prefix}.work`, 'task.run', Buffer.from('not json'), options);
    channel.publish(`${prefix}.work`, 'task.run', Buffer.from('{"schema":"task.run/1","number":1}'), {});
    channel.publish(`${prefix}.work`, 'task.run', Buffer.from('{"schema":"task.run/1","number":2}'), options);
    await until('two dead letters', async () => (await bus.deadLetters(10)).length === 2);
    await until('the good one', () => handled === 1);
    await channel.close();
    expect((await bus.deadLetters(10)).map(({ reason }) => reason).sort()).toEqual([
      'a message of type  was found in the queue of task.run',
      expect.stringMatching(/^the body is not valid: body must have required property 'schema'/),
    ]);
    const bodies = (await bus.deadLetters(10)).map(({ envelope }) => envelope.body);
    expect(bodies).toContainEqual({ undecodable: 'not json' });
  });

  it('gives a request that cannot be decoded back with the reason', async () => {
    const prefix = freshPrefix();
    const bus = await createBus(prefix);
    await bus.respond('ping', async () => ({}));
    const channel = await admin.createChannel();
    const response = new Promise<string>((resolve) => {
      const replies = channel.consume('amq.rabbitmq.reply-to', (reply) => resolve(String(reply?.content)), {
        noAck: true,
      });
      const options = { replyTo: 'amq.rabbitmq.reply-to', correlationId: 'q' };
      void replies.then(() => channel.sendToQueue(`${prefix}.rpc.ping`, Buffer.from('[1'), options));
    });
    expect(JSON.parse(await response)).toMatchObject({ error: { message: 'request: is not a JSON object' } });
    await channel.close();
  });

  it('opens many consumers at once without a warning of Node', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    cleanups.push(async () => void process.off('warning', note));
    const bus = await createBus(freshPrefix());

    await Promise.all([...topics, ...topics].map((topic) => bus.respond(topic, async () => ({}))));

    expect(warnings.filter(({ name }) => name === 'MaxListenersExceededWarning')).toEqual([]);
  });

  it('declares a deleted queue again, and continues to consume', async () => {
    const prefix = freshPrefix();
    const bus = await createBus(prefix);
    const seen = await collectTasks(bus);
    const channel = await admin.createChannel();
    await channel.deleteQueue(`${prefix}.worker.task.run`);
    await channel.close();
    await publishAll(bus, [task(4)]);
    await until('delivery', () => seen.length === 1);
    expect(seen.map(numberOf)).toEqual([4]);
  });

  it('declares a deleted exchange again, and everything continues', async () => {
    const prefix = freshPrefix();
    const bus = await createBus(prefix);
    const channel = await admin.createChannel();
    await channel.deleteExchange(`${prefix}.work`);
    await channel.close();
    expect(await bus.publish([task(1)])).toEqual([expect.stringMatching(/did not confirm.*channel closed/)]);
    await publishAll(bus, [task(2)]);
    const numbers = await collectTasks(bus);
    await until('delivery', () => numbers.length === 1);
    expect(numbers.map(numberOf)).toEqual([2]);
  });

  it('names the queue that exists with other properties', async () => {
    const prefix = freshPrefix();
    const channel = await admin.createChannel();
    await channel.assertQueue(`${prefix}.worker.task.run`, { durable: true });
    await channel.close();
    await expect(createBus(prefix)).rejects.toThrow(
      new RegExp(`^RabbitMQ has queue '${prefix}\\.worker\\.task\\.run' with other properties than Vigil needs`),
    );
  });

  it('names the remedy when it cannot connect, without the password', async () => {
    const bad = async (change: (url: URL) => void): Promise<string> => {
      const url = new URL(brokerUrl);
      url.password = 'sesame-open';
      change(url);
      const bus = createAmqpBus({ url: url.href, logger: silentLogger, appId: 'test', prefix: 'never', catalogue });
      const error = await bus.then(
        () => 'connected',
        (caught: Error) => `${caught.name}: ${caught.message}`,
      );
      expect(error).not.toContain('sesame');
      return error;
    };
    expect(await bad(() => undefined)).toMatch(
      /^OperatorError: .* refuses user guest: check the name and the password/,
    );
    const vhost = (url: URL): void => {
      url.password = brokerUrl.password;
      url.pathname = '/nowhere';
    };
    expect(await bad(vhost)).toMatch(/^OperatorError: .* refuses the virtual host/);
    const port = (url: URL): void => {
      url.port = '1';
    };
    expect(await bad(port)).toMatch(
      /^OperatorError: RabbitMQ cannot be reached at amqp:\/\/127\.0\.0\.1:1.*ECONNREFUSED/,
    );
    const sockets: Socket[] = [];
    const web = createServer((socket) => {
      sockets.push(socket.resume());
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    }).listen(0, '127.0.0.1');
    await until('listening', () => web.listening);
    const address = web.address();
    const wrongServer = (url: URL): void => {
      url.port = String(typeof address === 'object' && address !== null ? address.port : 0);
    };
    expect(await bad(wrongServer)).toMatch(/^OperatorError: .* does not speak AMQP/);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => web.close(resolve));
    await expect(createAmqpBus({ url: 'http://a:b@c', logger: silentLogger, appId: 'test' })).rejects.toThrow(
      /VIGIL_AMQP_URL: must have the form amqp:/,
    );
  });

  it('starts without the broker if configured, and connects when it is available', async () => {
    const prefix = freshPrefix();
    const proxy = await createTcpProxy({ host: brokerUrl.hostname, port: Number(brokerUrl.port) });
    cleanups.push(() => proxy.close());
    await proxy.refuse();
    const url = new URL(brokerUrl);
    url.port = String(proxy.port);
    const bus = await createBus(prefix, { url: url.href, startWithoutBroker: true });
    const seen = await collectTasks(bus);
    expect(await bus.publish([task(1)])).toEqual([expect.stringMatching(/RabbitMQ/)]);
    await proxy.accept();
    await publishAll(bus, [task(2)]);
    await until('delivery', () => seen.length === 1);
    expect(seen.map(numberOf)).toEqual([2]);
  });

  it('retries messages that the broker does not confirm, and continues with the rest', async () => {
    const proxy = await createTcpProxy({ host: brokerUrl.hostname, port: Number(brokerUrl.port) });
    cleanups.push(() => proxy.close());
    const url = new URL(brokerUrl);
    url.port = String(proxy.port);
    const connection = await createAmqpConnection({
      url: url.href,
      logger: silentLogger,
      appId: 'test',
      metrics: { connected: () => undefined },
      prepare: async () => undefined,
      startWithoutBroker: false,
      retryMs,
    });
    cleanups.push(connection.close);
    let [tries, others] = [0, 0];
    await connection.attach(async () => {
      tries += 1;
      if (tries !== 3 && tries < 6) throw new BusUnavailableError('no answer');
    });
    await until('it is set up', () => tries === 3);
    await connection.attach(async () => {
      others += 1;
    });

    proxy.cut();
    await until('all is set up on the next connection', () => tries === 6);
    expect(others).toBe(2);
    const refused = connection.attach(() => Promise.reject(new Error('404')));
    await expect(refused).rejects.toThrow('404');
  });
});
