export type { EmbeddedPostgres } from './embedded-postgres.ts';
export { startEmbeddedPostgres } from './embedded-postgres.ts';
export { findFreePort } from './find-free-port.ts';
export { reachEmbeddedPostgres } from './reach-embedded-postgres.ts';
