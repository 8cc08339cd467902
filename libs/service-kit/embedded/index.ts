export { prepareDataDirectory } from './data-directory.ts';
export type { EmbeddedPostgres, EmbeddedPostgresOptions } from './embedded-postgres.ts';
export { findFreePort, startEmbeddedPostgres } from './embedded-postgres.ts';
export { unprivilegedAccount } from './postgres-binaries.ts';
