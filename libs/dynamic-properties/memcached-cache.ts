import { Client } from 'memjs';
import { type Clock, InvalidInputError, type Logger, messageOf } from '#libs/domain';
import type { Metrics } from '#libs/service-kit';
import type { ValueCache } from './value-store.ts';

/** After a fault the cache is left alone for this time, so that readers do not wait for it one by one. */
const pauseMs = 5_000;
/** memcached refuses items above 1 MiB by default. */
const maxBytes = 1_000_000;
const prefix = 'vigil:property:';

interface MemcachedDeps {
  logger: Logger;
  clock: Clock;
  metrics: Metrics;
  /** Wait for a response at most. Default 0.25. */
  timeoutSeconds?: number;
}

/**
 * Values in memcached, at `memcached://host:port` (several separated by commas). While it is unavailable nothing is
 * found and nothing is kept.
 * @throws InvalidInputError on another kind of URL.
 */
export function createMemcachedCache(url: string, deps: MemcachedDeps): ValueCache {
  const { logger, clock, metrics, timeoutSeconds = 0.25 } = deps;
  const client = connect(url, timeoutSeconds);
  const faults = metrics.counter('vigil_property_cache_faults_total', 'Requests without a response of memcached');
  let pausedUntil = 0;

  async function guarded<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    if (clock.now() < pausedUntil) return otherwise;
    try {
      return await work();
    } catch (error) {
      faults.inc();
      if (clock.now() >= pausedUntil) logger.warn({ error: messageOf(error) }, 'memcached unavailable');
      pausedUntil = clock.now() + pauseMs;
      return otherwise;
    }
  }

  return {
    get: (id) => guarded(async () => (await client.get(prefix + id)).value?.toString('utf8') ?? null, null),
    set: async (id, text, seconds) => {
      const value = Buffer.from(text);
      if (value.length > maxBytes) return false;
      return guarded(() => client.set(prefix + id, value, { expires: Math.ceil(seconds) }), false);
    },
    close: () => client.close(),
  };
}

function connect(url: string, timeoutSeconds: number): Client {
  const servers = url.split(',').map((part) => part.trim());
  const wrong = servers.find((server) => !/^memcached:\/\/[^/\s:@]+(:\d+)?\/?$/.test(server));
  if (wrong !== undefined) throw new InvalidInputError('VIGIL_MEMCACHED_URL', 'must be memcached://host:port');
  const hosts = servers.map((server) => server.slice('memcached://'.length).replace(/\/$/, '')).join(',');
  const quiet = { log: () => undefined };
  return Client.create(hosts, { timeout: timeoutSeconds, conntimeout: timeoutSeconds, retries: 1, logger: quiet });
}
