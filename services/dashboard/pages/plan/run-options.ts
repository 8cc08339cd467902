import { readCron } from '#libs/cron';

/** How a window of a plan repeats. `daily` is a time of day, `cron` an expression, both in the zone of the form. */
export const repeats = ['never', 'daily', 'cron'] as const;
export type Repeat = (typeof repeats)[number];

/** Execution options of a plan, as typed. Empty: the applier's configuration. */
export interface RunForm {
  workers: string;
  migrations: string;
  /** Local time without an offset, as in the browser's field. */
  start: string;
  end: string;
  repeat: Repeat;
  /** Local time of day, as in the browser's field. */
  daily: string;
  cron: string;
  /** IANA name of the time zone of a recurring window. */
  zone: string;
  /** Length of a recurring window. */
  minutes: string;
}

/** No options, with the zone of the browser. */
export const emptyRun: RunForm = {
  workers: '',
  migrations: '',
  start: '',
  end: '',
  repeat: 'never',
  daily: '22:00',
  cron: '',
  zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  minutes: '',
};

/** Options in the format of the API. */
export function runOptions(form: RunForm) {
  const { workers, migrations, start, end } = form;
  const cron = windowCron(form);
  return {
    ...(workers === '' ? {} : { max_workers: Number(workers) }),
    ...(migrations === '' ? {} : { max_migrations: Number(migrations) }),
    ...(start === '' ? {} : { window_start: new Date(start).toISOString() }),
    ...(end === '' ? {} : { window_end: new Date(end).toISOString() }),
    ...(cron === '' ? {} : { window_cron: cron, window_seconds: windowSeconds(form), window_zone: form.zone }),
  };
}

/** Length of a recurring window in seconds. An hour if left blank. */
export function windowSeconds({ minutes }: Pick<RunForm, 'minutes'>): number {
  return Math.round(Number(minutes || 60) * 60);
}

/** Starts of a recurring window as a cron expression. Empty without one. */
function windowCron({ repeat, daily, cron }: RunForm): string {
  if (repeat === 'daily') return dailyCron(daily);
  return repeat === 'cron' ? cron.trim() : '';
}

/** A time of day as a cron expression. */
function dailyCron(time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return `${minutes} ${hours} * * *`;
}

/**
 * The next starts of the recurring window, three at most, between start and end of the form. Empty without one.
 * @throws Error with a reason if the cron expression is invalid
 */
export function nextWindows(form: RunForm, now: Date): Date[] {
  const cron = windowCron(form);
  if (cron === '') return [];
  const from = form.start === '' ? now : new Date(Math.max(now.getTime(), Date.parse(form.start)));
  return readCron(cron, form.zone)
    .upcoming(3, from)
    .filter((start) => form.end === '' || start.getTime() < Date.parse(form.end));
}
