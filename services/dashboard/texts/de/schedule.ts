import type { Catalogue } from '../texts.ts';

/** Cron-Ausdrücke in Worten. */
export const schedule = {
  'cron.minutes': { one: 'jede Minute', other: 'alle {count} Minuten' },
  'cron.minutesFrom': { one: 'jede Minute', other: 'alle {count} Minuten, ab Minute {minute} jeder Stunde' },
  'cron.hours': {
    one: 'jede Stunde, in Minute {minute}',
    other: 'alle {count} Stunden, in Minute {minute}',
  },
  'cron.daily': 'täglich um {times}',
  'cron.weekly': 'jeden {days} um {times}',
  'cron.dayRange': '{from} bis {to}',
  'cron.day': '{day}.',
  'cron.monthly': 'am {days} jedes Monats um {times}',
  'cron.yearly': 'jedes Jahr am {day} um {times}',
} satisfies Partial<Catalogue>;
