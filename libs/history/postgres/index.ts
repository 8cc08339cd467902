export type { PostgresHistory, PostgresHistoryOptions } from './postgres-history.ts';
export { createPostgresHistory } from './postgres-history.ts';
