import { timeZone } from './env-key.ts';

/** `VIGIL_CRON_TIME_ZONE`: decision engines read cron text in it, the API tells the dashboard. */
export const cronTimeZone = timeZone({
  default: 'UTC',
  description:
    'Time zone in which the cron text of CONTINUOUS audits is read, such as Europe/Berlin; the same for all decision engines and APIs.',
});
