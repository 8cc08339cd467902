export { commonEnv } from './common-env.ts';
export { cronTimeZone } from './cron-time-zone.ts';
export type { EnvKey } from './env-key.ts';
export { choice, flag, integer, list, number, text, url, urls } from './env-key.ts';
export type { EnvSchema, EnvValues } from './parse-env.ts';
export { parseEnv } from './parse-env.ts';
export { requireDatabaseUrl } from './require-database-url.ts';
export { urlPerHost } from './url-per-host.ts';
