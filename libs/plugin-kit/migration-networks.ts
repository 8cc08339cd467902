import { ConfigurationError } from '#libs/domain';

/** A set of hosts whose instances travel over the same wires: its name, and a pattern of host names with `*`. */
export interface MigrationNetwork {
  name: string;
  pattern: string;
}

/**
 * Reads entries `<network>=<host name with *>`. A network may be named more than once.
 * @param key configuration key that the entries come from, for the error
 * @throws ConfigurationError naming the first entry that is none
 */
export function parseMigrationNetworks(key: string, entries: readonly string[]): MigrationNetwork[] {
  return entries.map((entry) => {
    const [name = '', pattern = '', ...rest] = entry.split('=');
    if (name !== '' && pattern !== '' && rest.length === 0) return { name, pattern };
    const hint = 'must list <network>=<host name with *>';
    throw new ConfigurationError([`${key} ${hint}, not "${entry}"`]);
  });
}

/** Checks `VIGIL_MIGRATION_NETWORKS` of a process. */
export const migrationNetworksCheck = {
  reads: ['VIGIL_MIGRATION_NETWORKS'] as const,
  check: (values: { VIGIL_MIGRATION_NETWORKS: readonly string[] }): void =>
    void parseMigrationNetworks('VIGIL_MIGRATION_NETWORKS', values.VIGIL_MIGRATION_NETWORKS),
};

/** Names of the networks that any of the hosts is in, each once. */
export function networksOf(hosts: readonly string[], networks: readonly MigrationNetwork[]): string[] {
  const used = networks.filter(({ pattern }) => hosts.some((host) => matches(pattern, host)));
  return [...new Set(used.map(({ name }) => name))];
}

function matches(pattern: string, host: string): boolean {
  const escaped = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${escaped}$`).test(host);
}
