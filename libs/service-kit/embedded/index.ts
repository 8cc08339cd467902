export type { EmbeddedPostgres } from './embedded-postgres.ts';
export { startEmbeddedPostgres } from './embedded-postgres.ts';
export { findFreePort, findFreePorts, freePortNear } from './free-ports.ts';
export { reachEmbeddedPostgres } from './reach-embedded-postgres.ts';
export { homeOf, removeEmbeddedPostgres } from './remove-embedded-postgres.ts';
export { unprivilegedAccount } from './server-account.ts';
