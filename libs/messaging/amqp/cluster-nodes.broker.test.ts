import { randomUUID } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import { createTcpProxy, type TcpProxy, testServerUrl } from '#tests';
import { amqpUrlsOf, createAmqpBus, probeAmqpNode } from './index.ts';

const brokerUrl = new URL(testServerUrl('rabbitmq'));
const proxies: TcpProxy[] = [];
afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.close();
});

/** Three addresses of one broker stand for the nodes of a cluster. */
async function threeNodes() {
  for (let count = 0; count < 3; count++) {
    proxies.push(await createTcpProxy({ host: brokerUrl.hostname, port: Number(brokerUrl.port) }));
  }
  const [first, ...others] = proxies.map(({ port }) => `127.0.0.1:${port}`);
  const url = new URL(brokerUrl);
  url.host = first ?? '';
  return { url: url.href, nodes: others };
}

it('a bus uses the next node when its node is unavailable, and then the third', async () => {
  const { url, nodes } = await threeNodes();
  const prefix = `test-${randomUUID().slice(0, 8)}`;
  const bus = await createAmqpBus({ url, nodes, prefix, logger: silentLogger, appId: 'nodes', catalogue: [] });
  const usable = () =>
    bus.probe().then(
      () => true,
      () => false,
    );
  await expect.poll(usable).toBe(true);
  for (const lost of [0, 1]) {
    await proxies[lost]?.refuse();
    await expect.poll(usable).toBe(true);
  }
  await bus.close();
});

it('each node is probed separately', async () => {
  const { url, nodes } = await threeNodes();
  await proxies[1]?.refuse();
  const options = { prefix: 'test', signal: AbortSignal.timeout(60_000), timeoutMs: 60_000 };
  const probed = await Promise.allSettled(amqpUrlsOf(url, nodes).map((node) => probeAmqpNode(node, options)));
  expect(probed.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
