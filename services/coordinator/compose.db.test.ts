import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ServiceContext } from '#libs/service-kit';
import { createTcpProxy, createTestContext, type TcpProxy, useDatabase } from '#tests';
import { composeCoordinator } from './compose.ts';
import { coordinatorEnv } from './env.ts';

let databaseUrl: string;
let proxy: TcpProxy;
let context: ServiceContext<typeof coordinatorEnv>;
let failures: unknown[];

/** A coordinator's context, with the database behind the proxy. */
function createContext(): ServiceContext<typeof coordinatorEnv> {
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${proxy.port}`;
  const env = {
    VIGIL_DATABASE_URL: url.href,
    VIGIL_GATE_TRIES: '1',
    VIGIL_GATE_PERIOD_SECONDS: '0.5',
    VIGIL_COORDINATOR_POLL_SECONDS: '1',
  };
  failures = [];
  return createTestContext('coordinator', coordinatorEnv, env, { onFailure: (error) => failures.push(error) });
}

beforeEach(async () => {
  ({ url: databaseUrl } = await useDatabase());
  const { hostname, port } = new URL(databaseUrl);
  proxy = await createTcpProxy({ host: hostname, port: Number(port || 5432) });
  context = createContext();
});
afterEach(async () => {
  await context.teardown.run();
  await proxy.close();
});

it('waits for an unavailable database at its start, and leads when it is available', async () => {
  await proxy.refuse();
  expect(await composeCoordinator(context)).toEqual({ url: null });
  const waiting = await context.readiness.report();
  expect(waiting.checks.find(({ name }) => name === 'gate')?.reason).toContain('postgresql');
  await proxy.accept();
  const leader = async () => (await context.metrics.expose()).body.match(/vigil_recovery_leader\S* (\d)/)?.[1];
  await expect.poll(leader, { timeout: 60_000, interval: 100 }).toBe('1');
  await expect.poll(async () => (await context.readiness.report()).ready, { timeout: 60_000 }).toBe(true);
  expect(failures).toEqual([]);
});
