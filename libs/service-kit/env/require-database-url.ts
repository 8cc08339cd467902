import { ConfigurationError } from '#libs/domain';
import type { ConfigurationCheck } from './check-configuration.ts';
import type { commonEnv } from './common-env.ts';

/**
 * The URL of the domain store, which a process cannot do without.
 * @throws ConfigurationError when it is not set
 */
export function requireDatabaseUrl({ VIGIL_DATABASE_URL }: { VIGIL_DATABASE_URL?: string }): string {
  if (VIGIL_DATABASE_URL) return VIGIL_DATABASE_URL;
  throw new ConfigurationError([
    'VIGIL_DATABASE_URL is not set (`vigil up` starts everything with an embedded database)',
  ]);
}

/** Whether the database is named. */
export const databaseIsNamed: ConfigurationCheck<Pick<typeof commonEnv, 'VIGIL_DATABASE_URL'>> = {
  reads: ['VIGIL_DATABASE_URL'],
  check: requireDatabaseUrl,
};
