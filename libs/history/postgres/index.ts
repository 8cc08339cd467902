export { createPostgresHistory } from './postgres-history.ts';
