export type { CronTimes } from './read-cron.ts';
export { CronTextError, readCron } from './read-cron.ts';
