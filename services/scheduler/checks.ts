import { gateCheck } from '#libs/dependencies';
import { parseAllowedHosts, parseConfiguredTargets } from '#libs/notification-targets';
import { type ConfigurationCheck, type commonEnv, databaseIsNamed, type EnvValues } from '#libs/service-kit/env';
import type { schedulerEnv } from './env.ts';

/** Checks of a scheduler's configuration that take several keys together. */
export const schedulerChecks: readonly ConfigurationCheck<typeof schedulerEnv & typeof commonEnv>[] = [
  databaseIsNamed,
  gateCheck('scheduler'),
  {
    reads: ['VIGIL_NOTIFICATION_ALLOWED_HOSTS'],
    check: (values) => parseAllowedHosts(values.VIGIL_NOTIFICATION_ALLOWED_HOSTS),
  },
  {
    reads: ['VIGIL_NOTIFICATION_ALLOWED_HOSTS', 'VIGIL_NOTIFICATION_TARGETS'],
    check: (values) => configuredTargetsOf(values),
  },
];

/**
 * Targets of the configuration, and the hosts that they may name.
 * @throws ConfigurationError without a value that may be secret
 */
export function configuredTargetsOf(
  env: Pick<EnvValues<typeof schedulerEnv>, 'VIGIL_NOTIFICATION_ALLOWED_HOSTS' | 'VIGIL_NOTIFICATION_TARGETS'>,
) {
  const allowed = parseAllowedHosts(env.VIGIL_NOTIFICATION_ALLOWED_HOSTS);
  return { allowed, configured: parseConfiguredTargets(env.VIGIL_NOTIFICATION_TARGETS, allowed) };
}
