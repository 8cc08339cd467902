import { readCron } from '#libs/cron';

/** How a window of a plan repeats. `daily` is a time of day in the zone of the page, `cron` an expression in UTC. */
export const repeats = ['never', 'daily', 'cron'] as const;
export type Repeat = (typeof repeats)[number];

/** Execution options of a plan, as typed. Empty: the applier's configuration. */
export interface RunForm {
  workers: string;
  migrations: string;
  /** Local time without an offset, as in the browser's field. */
  begin: string;
  end: string;
  repeat: Repeat;
  /** Local time of day, as in the browser's field. */
  daily: string;
  cron: string;
  /** Length of a recurring window. */
  minutes: string;
}

/** No options. */
export const emptyRun: RunForm = {
  workers: '',
  migrations: '',
  begin: '',
  end: '',
  repeat: 'never',
  daily: '22:00',
  cron: '',
  minutes: '',
};

/** Options in the format of the API. */
export function runOptions(form: RunForm) {
  const { workers, migrations, begin, end } = form;
  const cron = windowCron(form);
  return {
    ...(workers === '' ? {} : { max_workers: Number(workers) }),
    ...(migrations === '' ? {} : { max_migrations: Number(migrations) }),
    ...(begin === '' ? {} : { window_start: new Date(begin).toISOString() }),
    ...(end === '' ? {} : { window_end: new Date(end).toISOString() }),
    ...(cron === '' ? {} : { window_cron: cron, window_seconds: windowSeconds(form) }),
  };
}

/** Length of a recurring window in seconds. An hour if left blank. */
export function windowSeconds({ minutes }: Pick<RunForm, 'minutes'>): number {
  return Math.round(Number(minutes || 60) * 60);
}

/** Starts of a recurring window as a cron expression in UTC. Empty without one. */
function windowCron({ repeat, daily, cron }: RunForm): string {
  if (repeat === 'daily') return dailyCron(daily, new Date().getTimezoneOffset());
  return repeat === 'cron' ? cron.trim() : '';
}

/**
 * A time of day in UTC as a cron expression.
 * @param offset minutes from the zone of the time to UTC, as of `Date.getTimezoneOffset`
 */
export function dailyCron(time: string, offset: number): string {
  const day = 24 * 60;
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const inUtc = (((hours * 60 + minutes + offset) % day) + day) % day;
  return `${inUtc % 60} ${Math.floor(inUtc / 60)} * * *`;
}

/**
 * The next starts of the recurring window, three at most, between start and end of the form. Empty without one.
 * @throws Error with a reason if the cron expression is invalid
 */
export function nextWindows(form: RunForm, now: Date): Date[] {
  const cron = windowCron(form);
  if (cron === '') return [];
  const from = form.begin === '' ? now : new Date(Math.max(now.getTime(), Date.parse(form.begin)));
  return readCron(cron)
    .upcoming(3, from)
    .filter((start) => form.end === '' || start.getTime() < Date.parse(form.end));
}
