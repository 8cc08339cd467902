export type { CronTimes } from './read-cron.ts';
export { CronTextError, isTimeZone, readCron, timeZones } from './read-cron.ts';
