import { randomUUID } from 'node:crypto';
import type { VigilClient } from '#libs/client';
import { findFreePorts } from '#libs/service-kit/embedded';
import { testServerUrl } from '../servers/test-server-url.ts';
import { startTestStack, type TestStack } from '../system/test-stack.ts';
import type { VigilProcess } from '../system/vigil-process.ts';
import { createTcpProxy, type TcpProxy } from '../tcp-proxy.ts';

/** Dependencies that can be unavailable. */
export type Outage = 'postgresql' | 'rabbitmq' | 'keystone' | 'nova' | 'history';
/** Kind of outage. */
export type Manner = 'stopped' | 'refusing' | 'hung' | 'slow';

/** Real processes whose dependencies can be made unavailable one by one. */
export interface OutageStack {
  stack: TestStack;
  client: VigilClient;
  engine: VigilProcess;
  applier: VigilProcess;
  /** Address of the health server of a process. */
  health: Record<'engine' | 'applier', string>;
  /** Starts an outage. The returned function ends it. */
  takeAway(outage: Outage, manner: Manner): Promise<() => Promise<void>>;
  stop(): Promise<void>;
}

/** Simulated seconds that pass in one of the tests. */
export const speed = 20;
/** Delay of a slow HTTP response in milliseconds. Below every time limit. */
const slowMs = 700;
/**
 * Delay of a slow connection, in each direction, in milliseconds. A probe of PostgreSQL sends nine requests within 3 s.
 */
const slowLinkMs = 75;

/** A stack on real PostgreSQL, RabbitMQ and InfluxDB, all behind proxies, whose gates check every second. */
export async function startOutageStack(): Promise<OutageStack> {
  const name = `outage_${randomUUID().slice(0, 8)}`;
  const proxies = {
    postgresql: await proxyOf(testServerUrl('postgres')),
    rabbitmq: await proxyOf(testServerUrl('rabbitmq')),
    history: await proxyOf(testServerUrl('influxdb')),
  };
  const gate = { VIGIL_GATE_PERIOD_SECONDS: '1', VIGIL_GATE_TRIES: '2', VIGIL_GATE_RETRY_SECONDS: '0.2' };
  const stack = await startTestStack({
    real: true,
    simulator: ['--generate', 'hosts=6,instances=48,seed=7,skew=3', '--speed', String(speed)],
    env: { VIGIL_HOST_ID: name, VIGIL_APPLIER_LEASE_SECONDS: '10', VIGIL_OPENSTACK_TIMEOUT_MS: '3000', ...gate },
    reroute: (env) => ({
      VIGIL_DATABASE_URL: through(env.VIGIL_DATABASE_URL, proxies.postgresql),
      VIGIL_AMQP_URL: through(env.VIGIL_AMQP_URL, proxies.rabbitmq),
      VIGIL_INFLUX_URL: through(env.VIGIL_INFLUX_URL, proxies.history),
    }),
  });
  const [enginePort, applierPort] = await findFreePorts(2);
  const [engine, applier] = await Promise.all([
    stack.start(['decision-engine'], { VIGIL_HEALTH_PORT: String(enginePort) }),
    stack.start(['applier'], { VIGIL_HEALTH_PORT: String(applierPort), VIGIL_APPLIER_POLL_SECONDS: '1' }),
  ]);
  return {
    stack,
    client: stack.client,
    engine,
    applier,
    health: { engine: `http://127.0.0.1:${enginePort}`, applier: `http://127.0.0.1:${applierPort}` },
    takeAway: (outage, manner) =>
      outage === 'keystone' || outage === 'nova'
        ? breakCloud(stack, outage, manner)
        : breakConnection(proxies[outage], manner),
    async stop() {
      await stack.stop();
      await Promise.all(Object.values(proxies).map((proxy) => proxy.close()));
    },
  };
}

async function breakConnection(proxy: TcpProxy, manner: Manner): Promise<() => Promise<void>> {
  if (manner === 'stopped') {
    await proxy.refuse();
    return proxy.accept;
  }
  if (manner === 'hung') proxy.freeze();
  else proxy.delay(slowLinkMs);
  return async () => {
    proxy.resume();
    proxy.delay(0);
  };
}

async function breakCloud(stack: TestStack, outage: Outage, manner: Manner): Promise<() => Promise<void>> {
  const match = { service: outage === 'nova' ? 'compute' : 'identity' };
  const refusing = { kind: 'error', status: 503 };
  const kinds = {
    stopped: { kind: 'reset' },
    refusing,
    hung: { kind: 'hang' },
    slow: { kind: 'latency', milliseconds: slowMs },
  };
  await stack.control('/faults', { match, ...kinds[manner] });
  return async () => {
    await fetch(`${stack.simulator.url}/simulator/faults`, { method: 'DELETE' });
  };
}

function proxyOf(address: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(address);
  return createTcpProxy({ host: hostname, port: Number(port) });
}

function through(address: string | undefined, proxy: TcpProxy): string {
  const url = new URL(address ?? '');
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  return url.href;
}
