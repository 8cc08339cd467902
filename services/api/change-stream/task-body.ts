import type { TaskRow } from '#libs/store';

const time = (date: Date | null) => date?.toISOString() ?? null;

/** A task as the internal API and the change stream show it. */
export function taskBody(task: TaskRow) {
  return {
    uuid: task.uuid,
    name: task.name,
    args: task.args,
    queue: task.queue,
    single_flight: task.mode,
    state: task.state,
    priority: task.priority,
    attempts: task.attempts,
    max_attempts: task.maxAttempts,
    timeout_seconds: task.timeoutSeconds,
    progress: task.progress,
    result: task.result,
    error: task.error,
    created_by: task.createdBy,
    request_id: task.requestId,
    schedule: task.scheduleName,
    fire_time: time(task.fireTime),
    host: task.hostname,
    created_at: time(task.createdAt),
    run_after: time(task.runAfter),
    started_at: time(task.startedAt),
    ended_at: time(task.endedAt),
    redriven_by: task.redrivenBy,
    redriven_at: time(task.redrivenAt),
  };
}
