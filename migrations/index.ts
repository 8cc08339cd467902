export { migrations } from './migrations.ts';
export { sinceFirstVersion } from './since-first-version.ts';
