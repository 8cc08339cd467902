export { connectClient } from './connect-client.ts';
export { findStandby } from './find-standby.ts';
export { isStatementFault } from './is-statement-fault.ts';
export { poolSettings } from './pool-settings.ts';
export { addPostgresHosts, describePostgresUrl, postgresHostOf, postgresUrlsOf } from './postgres-url.ts';
