import type { ScheduledTask } from '#libs/store';
import type { TaskCatalogue, TaskSchedule } from '../catalogue/task-definition.ts';
import { type Overrides, parseCron } from './overrides.ts';

type Desired = Omit<ScheduledTask, 'lastFireAt' | 'nextFireAt'>;

/** Schedules of the program and the configuration file, without their times. */
export function desiredSchedules(catalogue: TaskCatalogue, overrides: Overrides | null): Desired[] {
  return [...catalogue.values()].flatMap(({ name, schedule }) => {
    const given = overrides?.schedules.get(name);
    if (given === undefined) return schedule ? [toRow(name, schedule, 'code')] : [];
    if (given !== null) return [toRow(name, given, 'config')];
    return schedule ? [{ ...toRow(name, schedule, 'config'), enabled: false }] : [];
  });
}

function toRow(name: string, schedule: TaskSchedule, source: 'code' | 'config'): Desired {
  return {
    name,
    task: name,
    cron: schedule.cron,
    timezone: schedule.timezone ?? 'UTC',
    args: schedule.args ?? {},
    enabled: schedule.enabled ?? true,
    source,
    misfirePolicy: schedule.misfirePolicy ?? 'run_once',
    maxJitterSeconds: schedule.maxJitterSeconds ?? 0,
  };
}

/** The time that a schedule is due next: as before while its clock is the same, else the first one after `now`. */
export function nextFireTime(desired: Desired, known: ScheduledTask | undefined, now: Date): Date | null {
  if (!desired.enabled || desired.cron === null) return null;
  const sameClock = known?.enabled && known.cron === desired.cron && known.timezone === desired.timezone;
  if (sameClock && known.nextFireAt !== null) return known.nextFireAt;
  return parseCron(desired.cron, desired.timezone)(now);
}
