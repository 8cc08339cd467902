export type { EmbeddedPostgres } from './embedded-postgres.ts';
export { findFreePort, startEmbeddedPostgres } from './embedded-postgres.ts';
export { reachEmbeddedPostgres } from './reach-embedded-postgres.ts';
