export { createPostgresBus } from './create-postgres-bus.ts';
