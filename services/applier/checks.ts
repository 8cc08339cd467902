import { gateCheck } from '#libs/dependencies';
import { openStackConfigFromEnv } from '#libs/openstack';
import { parseMigrationNetworks } from '#libs/plugin-kit';
import { type ConfigurationCheck, type commonEnv, databaseIsNamed } from '#libs/service-kit/env';
import type { applierEnv } from './env.ts';
import { parseExecutionRules } from './execution-rules.ts';
import { loadActions } from './load-actions.ts';

/** What of the configuration of an applier single keys do not show. */
export const applierChecks: readonly ConfigurationCheck<typeof applierEnv & typeof commonEnv>[] = [
  databaseIsNamed,
  { reads: [], check: (_values, environment) => openStackConfigFromEnv(environment) },
  gateCheck('applier'),
  {
    reads: ['VIGIL_MIGRATION_NETWORKS'],
    check: (values) => parseMigrationNetworks('VIGIL_MIGRATION_NETWORKS', values.VIGIL_MIGRATION_NETWORKS),
  },
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
