import { silentLogger } from '#libs/domain';
import { clearLeftState } from '../../tests/servers/clear-left-state.ts';
import { type KillablePostgres, startKillablePostgres } from '../../tests/servers/killable-postgres.ts';
import { type KillableRabbitmq, startKillableRabbitmq } from '../../tests/servers/killable-rabbitmq.ts';
import { findCacheDir } from '../../tests/servers/start-test-servers.ts';

/** PostgreSQL and RabbitMQ of this run only, as durable as in production: they are killed. */
export interface StackServers {
  postgres: KillablePostgres;
  /** Null where messages go through the database. */
  rabbitmq: KillableRabbitmq | null;
  /** Ends both and removes their data. */
  stop(): Promise<void>;
}

/**
 * Starts both, or PostgreSQL alone, which takes a second instead of ten. Until it is stopped, test databases are made
 * there.
 */
export async function startStackServers({ withBroker = true } = {}): Promise<StackServers> {
  clearLeftState();
  const [postgres, rabbitmq] = await Promise.allSettled([
    startKillablePostgres(silentLogger),
    withBroker ? startKillableRabbitmq({ cacheDir: await findCacheDir(), logger: silentLogger }) : null,
  ]);
  const { VIGIL_TEST_POSTGRES_URL: former } = process.env;
  async function stop(): Promise<void> {
    // Others in this process continue with the server that they had.
    if (former === undefined) delete process.env.VIGIL_TEST_POSTGRES_URL;
    else process.env.VIGIL_TEST_POSTGRES_URL = former;
    for (const started of [postgres, rabbitmq]) if (started.status === 'fulfilled') await started.value?.stop();
  }
  if (postgres.status === 'rejected' || rabbitmq.status === 'rejected') {
    await stop();
    throw postgres.status === 'rejected' ? postgres.reason : (rabbitmq as PromiseRejectedResult).reason;
  }
  process.env.VIGIL_TEST_POSTGRES_URL = postgres.value.url;
  return { postgres: postgres.value, rabbitmq: rabbitmq.value, stop };
}
