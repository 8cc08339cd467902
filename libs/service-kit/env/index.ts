export type { ConfigurationCheck } from './check-configuration.ts';
export { checkConfiguration } from './check-configuration.ts';
export { commonEnv, databaseIsNamed, requireDatabaseUrl } from './common-env.ts';
export type { EnvKey } from './env-key.ts';
export { choice, choices, flag, integer, list, number, text, url, urlPerHost, urls } from './env-key.ts';
export type { EnvSchema, EnvValues } from './parse-env.ts';
export { parseEnv } from './parse-env.ts';
export {
  approvalRules,
  automationRules,
  cronTimeZone,
  hostLimits,
  listenKeys,
  maxActionsPerPlan,
  migrationLimits,
  migrationNetworks,
  notificationAllowedHosts,
  oppositeAudits,
  parallelPerNetwork,
  pluginsStrict,
} from './shared-keys.ts';
export type { TlsFiles } from './tls-files.ts';
export { readTlsFiles, tlsParameters } from './tls-files.ts';
export { unknownKeys, warnOfUnknownKeys } from './unknown-keys.ts';
