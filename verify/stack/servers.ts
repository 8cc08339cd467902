import { silentLogger } from '#libs/domain';
import { clearLeftState } from '../../tests/servers/clear-left-state.ts';
import { type KillablePostgres, startKillablePostgres } from '../../tests/servers/killable-postgres.ts';
import { type KillableRabbitmq, startKillableRabbitmq } from '../../tests/servers/killable-rabbitmq.ts';
import { findCacheDir } from '../../tests/servers/start-test-servers.ts';

/** PostgreSQL and RabbitMQ of this run only, as durable as in production, because they are killed. */
export interface StackServers {
  postgres: KillablePostgres;
  /** Null when messages go through the database. */
  rabbitmq: KillableRabbitmq | null;
  /** Stops both and removes their data. */
  stop(): Promise<void>;
}

/**
 * Starts both, or only PostgreSQL, which takes one second instead of ten. Test databases are made there until it stops.
 */
export async function startStackServers({ withBroker = true } = {}): Promise<StackServers> {
  clearLeftState();
  const [postgres, rabbitmq] = await Promise.allSettled([
    startKillablePostgres(silentLogger),
    withBroker ? startKillableRabbitmq({ cacheDir: await findCacheDir(), logger: silentLogger }) : null,
  ]);
  const { VIGIL_TEST_POSTGRES_URL: former } = process.env;
  async function stop(): Promise<void> {
    // Other files in this process continue with their server.
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
