import { gateCheck } from '#libs/dependencies';
import { ConfigurationError } from '#libs/domain';
import { openStackConfigFromEnv } from '#libs/openstack';
import { migrationNetworksCheck } from '#libs/plugin-kit';
import { type ConfigurationCheck, type commonEnv, databaseIsNamed } from '#libs/service-kit/env';
import type { applierEnv } from './env.ts';
import { loadActions } from './load-actions.ts';

/** Checks of an applier's configuration that involve several keys. */
export const applierChecks: readonly ConfigurationCheck<typeof applierEnv & typeof commonEnv>[] = [
  databaseIsNamed,
  { reads: [], check: (_values, environment) => openStackConfigFromEnv(environment) },
  gateCheck('applier'),
  migrationNetworksCheck,
  {
    reads: ['VIGIL_APPLIER_EXECUTION_RULES'],
    check: (values) => parseExecutionRules(values.VIGIL_APPLIER_EXECUTION_RULES),
  },
  {
    reads: ['VIGIL_PLUGINS', 'VIGIL_PLUGINS_STRICT'],
    check: async (values) => {
      if (values.VIGIL_PLUGINS_STRICT) await loadActions(values.VIGIL_PLUGINS, { strict: true });
    },
  },
];

/**
 * Reads `<strategy>=ANY` and `<strategy>=ALWAYS`.
 * @throws ConfigurationError naming the first entry that is neither.
 */
export function parseExecutionRules(entries: readonly string[]): Record<string, 'ALWAYS' | 'ANY'> {
  const rules: Record<string, 'ALWAYS' | 'ANY'> = {};
  for (const entry of entries) {
    const [strategy = '', rule = ''] = entry.split('=');
    if (strategy === '' || (rule !== 'ALWAYS' && rule !== 'ANY')) {
      const hint = 'must list <strategy>=ANY or <strategy>=ALWAYS';
      throw new ConfigurationError([`VIGIL_APPLIER_EXECUTION_RULES ${hint}, not "${entry}"`]);
    }
    rules[strategy] = rule;
  }
  return rules;
}
