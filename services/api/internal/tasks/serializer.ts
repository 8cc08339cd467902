import type { ConfigWarning, ScheduledTask } from '#libs/store';
import type { TaskDefinition } from '#libs/tasks';

const time = (date: Date | null) => date?.toISOString() ?? null;

/** A schedule as the internal API shows it. */
export function scheduleBody(schedule: ScheduledTask) {
  return {
    name: schedule.name,
    task: schedule.task,
    cron: schedule.cron,
    timezone: schedule.timezone,
    args: schedule.args,
    enabled: schedule.enabled,
    source: schedule.source,
    misfire_policy: schedule.misfirePolicy,
    max_jitter_seconds: schedule.maxJitterSeconds,
    last_fire_at: time(schedule.lastFireAt),
    next_fire_at: time(schedule.nextFireAt),
  };
}

/** A warning about the configuration as the internal API shows it. */
export function warningBody({ source, name, reason, at }: ConfigWarning) {
  return { source, name, reason, at: at.toISOString() };
}

/** An entry of the task catalogue as the internal API shows it. */
export function kindBody({ name, description, argumentsSchema, queue, singleFlight, timeoutSeconds }: TaskDefinition) {
  return {
    name,
    description,
    arguments_schema: argumentsSchema,
    queue,
    single_flight: singleFlight.mode,
    extra_names: [...(singleFlight.extraNames ?? [])],
    timeout_seconds: timeoutSeconds,
  };
}
