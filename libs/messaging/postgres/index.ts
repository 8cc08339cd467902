export type { PostgresBusOptions } from './create-postgres-bus.ts';
export { createPostgresBus } from './create-postgres-bus.ts';
