export type { EmbeddedPostgres, EmbeddedPostgresOptions } from './embedded-postgres.ts';
export { startEmbeddedPostgres } from './embedded-postgres.ts';
export { findFreePort } from './find-free-port.ts';
export type { ReachedPostgres } from './reach-embedded-postgres.ts';
export { reachEmbeddedPostgres } from './reach-embedded-postgres.ts';
