/** Cron expressions in words. */
export const schedule = {
  'cron.minutes': { one: 'every minute', other: 'every {count} minutes' },
  'cron.minutesFrom': { one: 'every minute', other: 'every {count} minutes, from minute {minute} of each hour' },
  'cron.hours': {
    one: 'every hour, at minute {minute}',
    other: 'every {count} hours, at minute {minute}',
  },
  'cron.daily': 'every day at {times}',
  'cron.weekly': 'every {days} at {times}',
  'cron.dayRange': '{from} to {to}',
  'cron.day': '{day}',
  'cron.monthly': 'day {days} of every month at {times}',
  'cron.yearly': 'every year on {day} at {times}',
} as const;
