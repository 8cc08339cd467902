import type { JsonObject, JsonValue, TaskState } from '#libs/domain';
import type { LeaseRequest } from '../work/leases.ts';

/**
 * Maximum live tasks of a kind. `none`: no limit. `exclusive`: one of a set of names, further requests get the live
 * one. `deduped`: one running and one waiting per argument set.
 */
export const singleFlightModes = ['none', 'exclusive', 'deduped'] as const;
export type SingleFlightMode = (typeof singleFlightModes)[number];

/** Why a task failed or is retried. `code` is stable. */
export interface TaskFault {
  code: string;
  message: string;
}

/** Progress of a task. */
export interface TaskProgress {
  /** 0 to 100. */
  percent: number;
  message: string | null;
}

/** The input for a new task. */
export interface NewTask {
  uuid: string;
  name: string;
  args: JsonObject;
  /** Digest of the arguments that identify equal tasks for single-flight. */
  argsKey: string;
  /** `generic`, `masters` or `host.<host>`. */
  queue: string;
  mode: SingleFlightMode;
  /** Only for `exclusive`: names of tasks that must not be live at the same time. */
  extraNames: readonly string[];
  /** Higher priorities run first. */
  priority: number;
  /** Null: immediately. */
  runAfter: Date | null;
  maxAttempts: number;
  timeoutSeconds: number;
  /** Longest wait for its single-flight slot. */
  singleTimeoutSeconds: number;
  /** User, or the name of the requesting component. */
  createdBy: string;
  requestId: string | null;
  /** With `fireTime`: the schedule firing of the task. Unique together. */
  scheduleName: string | null;
  fireTime: Date | null;
}

/** A background task as stored. */
export interface TaskRow extends Omit<NewTask, 'extraNames' | 'runAfter'> {
  id: number;
  state: TaskState;
  runAfter: Date;
  attempts: number;
  result: JsonValue;
  error: TaskFault | null;
  progress: TaskProgress | null;
  /** Host of the worker that runs it or ran it last. */
  hostname: string | null;
  runInstance: string | null;
  fence: number | null;
  leaseExpiresAt: Date | null;
  startedAt: Date | null;
  endedAt: Date | null;
  /** User of the last retry after a failure. Null without a retry. */
  redrivenBy: string | null;
  redrivenAt: Date | null;
  createdAt: Date;
  updatedAt: Date | null;
}

/** Result of a request for a task. `coalesced`: the task existed already. */
export interface Enqueued {
  uuid: string;
  coalesced: boolean;
}

/** Filter of tasks. */
export interface TaskListQuery {
  state?: TaskState;
  name?: string;
  queue?: string;
  /** Maximum number. Default 100. */
  limit?: number;
  /** Uuid of the last task of the previous page. */
  marker?: string;
}

/** Tasks to read. Absent conditions match all. */
export interface TaskSelection {
  uuids?: readonly string[];
  states?: readonly string[];
  afterId?: number;
  /** Maximum number. Default all. */
  limit?: number;
}

/** Background tasks. Unique indices decide which may wait and run, for requests from any process. */
export interface Tasks {
  enqueue(task: NewTask): Promise<Enqueued>;
  /**
   * Claims the next task of the queue that may run now and has one of `names`, with a further attempt and a new fencing
   * number. Null without such a task.
   */
  claim(queue: string, names: readonly string[], lease: LeaseRequest): Promise<(TaskRow & { fence: number }) | null>;
  renewLease(uuid: string, fence: number, ttlMs: number): Promise<boolean>;
  /** @throws LeaseLostError */
  setProgress(uuid: string, fence: number, progress: TaskProgress): Promise<void>;
  /** @throws LeaseLostError */
  succeed(uuid: string, fence: number, result: JsonValue): Promise<void>;
  /** @throws LeaseLostError */
  fail(uuid: string, fence: number, error: TaskFault): Promise<void>;
  /** Makes the task due again in `delayMs`. It keeps its single-flight slot. @throws LeaseLostError */
  retryLater(uuid: string, fence: number, error: TaskFault, delayMs: number): Promise<void>;
  /** Returns an unfinished task to the queue. The attempt does not count. @throws LeaseLostError */
  release(uuid: string, fence: number): Promise<void>;
  /** Fails tasks with too many lost attempts, or that waited too long for their slot. Returns their number. */
  sweep(): Promise<{ lost: number; timedOut: number }>;
  /**
   * Queues a failed task again with all its attempts. When a live task does the same work, it is returned and the
   * failed one is SUPERSEDED. `by` is the requester.
   * @throws NotFoundError, StateConflictError when it has not failed
   */
  redrive(uuid: string, by: string): Promise<Enqueued>;
  /** @throws NotFoundError */
  get(uuid: string): Promise<TaskRow>;
  /** Newest first. */
  list(query?: TaskListQuery): Promise<TaskRow[]>;
  /** In order of id. */
  select(query: TaskSelection): Promise<TaskRow[]>;
  /** Tasks by queue and state, without those that succeeded or were superseded. */
  counts(): Promise<{ queue: string; state: TaskState; count: number }[]>;
  /** Deletes finished tasks older than `ageSeconds`. Returns how many. */
  prune(ageSeconds: number): Promise<number>;
}

/** Handling of missed firings: none, one for all, or each. */
export const misfirePolicies = ['skip', 'run_once', 'catch_up'] as const;
export type MisfirePolicy = (typeof misfirePolicies)[number];

/** A scheduled task. */
export interface ScheduledTask {
  name: string;
  /** Name in the task catalogue. */
  task: string;
  /** Cron expression in `timezone`. Null without a schedule. */
  cron: string | null;
  timezone: string;
  args: JsonObject;
  enabled: boolean;
  /** Whether the program or the configuration file defines it. */
  source: 'code' | 'config';
  misfirePolicy: MisfirePolicy;
  /** Maximum random delay of a firing. */
  maxJitterSeconds: number;
  lastFireAt: Date | null;
  /** Null when it is disabled. */
  nextFireAt: Date | null;
}

/** A fault in the configuration. The entry is ignored until it is corrected. */
export interface ConfigWarning {
  source: string;
  /** The entry. Empty for the whole source. */
  name: string;
  reason: string;
  at: Date;
}

/** Schedules, and the faults of their configuration. */
export interface ScheduledTasks {
  /** By name. */
  list(): Promise<ScheduledTask[]>;
  /** Creates or replaces the schedule. `lastFireAt` of an existing one stays. */
  put(schedule: Omit<ScheduledTask, 'lastFireAt'>): Promise<void>;
  /** Removes all other schedules. */
  keepOnly(names: readonly string[]): Promise<void>;
  /** Locks the enabled schedule that has been due longest, until the transaction ends. Skips locked ones. */
  lockDue(): Promise<ScheduledTask | null>;
  advance(name: string, times: { lastFireAt: Date | null; nextFireAt: Date | null }): Promise<void>;
  /** Replaces the known warnings of `source`. `at` of an existing warning stays. */
  setWarnings(source: string, warnings: Pick<ConfigWarning, 'name' | 'reason'>[]): Promise<void>;
  /** By source and name. */
  warnings(): Promise<ConfigWarning[]>;
}
