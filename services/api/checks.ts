import { gateCheck } from '#libs/dependencies';
import { ConfigurationError } from '#libs/domain';
import { parseAllowedHosts } from '#libs/notification-targets';
import { openStackConfigFromEnv } from '#libs/openstack';
import { migrationNetworksCheck } from '#libs/plugin-kit';
import { createLogger } from '#libs/service-kit';
import { type ConfigurationCheck, type commonEnv, databaseIsNamed, type EnvValues } from '#libs/service-kit/env';
import { loadPolicyFile } from './auth/policy-file.ts';
import type { apiEnv } from './env.ts';

const loopbackHosts = new Set(['127.0.0.1', '::1', 'localhost']);

/** Checks of an API's configuration that take several keys together. */
export const apiChecks: readonly ConfigurationCheck<typeof apiEnv & typeof commonEnv>[] = [
  databaseIsNamed,
  {
    reads: ['VIGIL_AUTH', 'VIGIL_HOST'],
    check(values, environment) {
      if (values.VIGIL_AUTH === 'none') requireLoopback(values);
      else openStackConfigFromEnv(environment);
    },
  },
  gateCheck('api'),
  migrationNetworksCheck,
  {
    reads: ['VIGIL_NOTIFICATION_ALLOWED_HOSTS'],
    check: (values) => parseAllowedHosts(values.VIGIL_NOTIFICATION_ALLOWED_HOSTS),
  },
  {
    reads: ['VIGIL_POLICY_FILE', 'VIGIL_POLICY_FILE_REQUIRED'],
    check: async ({ VIGIL_POLICY_FILE: path, VIGIL_POLICY_FILE_REQUIRED: isRequired }) => {
      const logger = createLogger({ service: 'api', level: 'error', pretty: false });
      if (path) await loadPolicyFile(path, logger, { isRequired });
    },
  },
];

/**
 * Authentication may only be off on a loopback address.
 * @throws ConfigurationError
 */
export function requireLoopback({ VIGIL_HOST: host }: Pick<EnvValues<typeof apiEnv>, 'VIGIL_HOST'>): void {
  if (loopbackHosts.has(host)) return;
  throw new ConfigurationError([
    `VIGIL_AUTH=none is refused on ${host}: without authentication the API may only listen on loopback (VIGIL_HOST=127.0.0.1)`,
  ]);
}

/** Whether links, cookies and headers can use https: a public URL is configured, or the API is local only. */
export function knowsOfTls(
  env: Pick<
    EnvValues<typeof apiEnv>,
    'VIGIL_HOST' | 'VIGIL_PUBLIC_URL' | 'VIGIL_ENABLE_PROXY_HEADERS' | 'VIGIL_TRUSTED_PROXIES'
  >,
): boolean {
  if (env.VIGIL_PUBLIC_URL) return env.VIGIL_PUBLIC_URL.startsWith('https:');
  return env.VIGIL_ENABLE_PROXY_HEADERS || env.VIGIL_TRUSTED_PROXIES.length > 0 || loopbackHosts.has(env.VIGIL_HOST);
}

/**
 * Why client addresses are not those of the clients. They count for request limits, sign-ins and the audit log. Null
 * when they are, as far as the configuration shows.
 */
export function clientAddressDoubt(
  env: Pick<
    EnvValues<typeof apiEnv>,
    'VIGIL_HOST' | 'VIGIL_PUBLIC_URL' | 'VIGIL_ENABLE_PROXY_HEADERS' | 'VIGIL_TRUSTED_PROXIES'
  >,
): string | null {
  if (env.VIGIL_TRUSTED_PROXIES.length > 0) return null;
  if (env.VIGIL_ENABLE_PROXY_HEADERS) {
    const isOpen = !loopbackHosts.has(env.VIGIL_HOST);
    return isOpen
      ? 'a client that bypasses the proxy names any address: set VIGIL_TRUSTED_PROXIES to its address'
      : null;
  }
  const isProxied = env.VIGIL_PUBLIC_URL?.startsWith('https:') ?? false;
  return isProxied
    ? 'all clients share the address of the proxy, and its limits: set VIGIL_TRUSTED_PROXIES to its address'
    : null;
}
