import { OperatorError } from '#libs/domain';
import type { MigrationNetwork } from './plan-runner/plan-slots.ts';

/**
 * Reads `<network>=<host name with *>`; a network may be named more than once.
 * @throws OperatorError naming the first entry that is none
 */
export function parseNetworks(entries: readonly string[]): MigrationNetwork[] {
  return entries.map((entry) => {
    const [name = '', pattern = '', ...rest] = entry.split('=');
    if (name !== '' && pattern !== '' && rest.length === 0) return { name, pattern };
    const hint = 'must list <network>=<host name with *>';
    throw new OperatorError(`configuration: VIGIL_MIGRATION_NETWORKS ${hint}, not "${entry}"`, { exitCode: 2 });
  });
}
