import type { Audit } from '#libs/domain';
import type { ConfigWarning, ScheduledTask, Store } from '#libs/store';
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

/** A continuous audit as the schedules show it. */
export function auditScheduleBody(audit: Audit) {
  return {
    uuid: audit.uuid,
    name: audit.name,
    interval: audit.interval,
    state: audit.state,
    last_run_at: time(audit.lastRunAt),
    next_run_time: time(audit.nextRunTime),
    failed_runs: audit.failedRuns,
    status_message: audit.statusMessage,
  };
}

/** A loop of a process as the schedules show it. */
export function loopBody(loop: Awaited<ReturnType<Store['db']['registry']['loops']>>[number]) {
  return {
    name: loop.name,
    service: loop.serviceName,
    host: loop.host,
    every_seconds: loop.everyMs / 1000,
    took_seconds: loop.tookMs / 1000,
    last_run_at: time(loop.lastRunAt),
    next_run_at: time(new Date(loop.lastRunAt.getTime() + loop.everyMs)),
    failures: loop.failures,
    last_error: loop.lastError,
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
