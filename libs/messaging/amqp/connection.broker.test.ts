import type { ChannelModel } from 'amqplib';
import { expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '#libs/domain';
import { createTcpProxy, testServerUrl } from '#tests';
import { createAmqpConnection } from './connection.ts';

const broker = new URL(testServerUrl('rabbitmq'));

it('a connection that is lost at the very end of its set-up is restored', async () => {
  const proxy = await createTcpProxy({ host: broker.hostname, port: Number(broker.port) });
  onTestFinished(() => proxy.close());
  const url = new URL(broker);
  url.host = `127.0.0.1:${proxy.port}`;
  const connection = await createAmqpConnection({
    url: url.href,
    logger: silentLogger,
    appId: 'set-up',
    metrics: { connected: () => undefined },
    prepare: async () => undefined,
    startWithoutBroker: false,
  });
  onTestFinished(() => connection.close());

  let setUps = 0;
  await connection.attach(async (model: ChannelModel) => {
    setUps += 1;
    if (setUps > 2) return;
    // The first connection is lost right after, the second before the set-up has reported its end.
    const lost = new Promise((resolve) => model.once('close', resolve));
    proxy.cut();
    if (setUps === 2) await lost;
  });

  await expect.poll(() => setUps).toBe(3);
  await expect.poll(() => isUsable()).toBe(true);

  async function isUsable(): Promise<boolean> {
    try {
      const channel = await connection.model().createChannel();
      await channel.close();
      return true;
    } catch {
      return false;
    }
  }
});
