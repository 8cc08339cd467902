import { isDeepStrictEqual } from 'node:util';
import { InvalidInputError, type Logger, NotFoundError, type RandomSource } from '#libs/domain';
import { createLeader, type MisfirePolicy, type ScheduledTask, type Store, type UnitOfWork } from '#libs/store';
import type { TaskCatalogue } from '../catalogue/task-definition.ts';
import type { TaskRequests } from '../task-requests.ts';
import { desiredSchedules, nextFireTime } from './desired-schedules.ts';
import { type NextTime, type Overrides, parseCron } from './overrides.ts';

/** Firings of one transaction. The rest fires in the next one. */
const most = 100;

/** The firings that are due now, and the next time of the schedule. */
interface DueFirings {
  fire: Date[];
  next: Date | null;
}

export interface TaskSchedulerDeps {
  store: Pick<Store, 'db' | 'transaction'>;
  catalogue: TaskCatalogue;
  requests: TaskRequests;
  logger: Logger;
  random: RandomSource;
}

export interface TaskSchedulerOptions {
  /** Holder of the leader's lease. */
  holder: string;
  /** Length of the leader's lease in milliseconds. Default 15 000. */
  leaseMs?: number;
  /** Age up to which a firing is on time, in milliseconds. Default 60 000. */
  graceMs?: number;
}

/** Evaluates schedules wherever it holds the leader's lease. */
export interface TaskScheduler {
  /**
   * Takes or renews the lease, applies `overrides` to the schedules, and fires due ones. False: another process leads.
   */
  tick(configuration: SchedulerConfiguration): Promise<boolean>;
  /** Whether the lease was held at the last tick and cannot have expired since. */
  isLeader(): boolean;
  /** Lets another one lead. */
  resign(): Promise<void>;
}

/** The content of the configuration file. `overrides` is null when it cannot be read, so the stored schedules stay. */
export interface SchedulerConfiguration {
  overrides: Overrides | null;
  /** Why it cannot be read. */
  fault: string | null;
}

/** Lease of the scheduler that evaluates schedules and serves the queue `masters`. */
export const leaderResource = 'leader:tasks';
const warningSource = 'tasks';

/** A candidate for the leader, which holds nothing yet. */
export function createTaskScheduler(deps: TaskSchedulerDeps, options: TaskSchedulerOptions): TaskScheduler {
  const { store, logger } = deps;
  const { holder, leaseMs = 15_000, graceMs = 60_000 } = options;
  const leader = createLeader(store.db.leases, { resource: leaderResource, holder, ttlMs: leaseMs });
  let led: { fence: number; configuration: SchedulerConfiguration | null } | null = null;

  async function lead(): Promise<typeof led> {
    const lease = await leader.renew();
    if (lease === null) {
      if (led) logger.info({}, 'another scheduler is leader');
      led = null;
    } else if (lease.isNew || led === null) {
      logger.info({ fence: lease.fence }, 'elected leader');
      led = { fence: lease.fence, configuration: null };
    }
    return led;
  }

  return {
    async tick(configuration) {
      const office = await lead();
      if (office === null) return false;
      const { fence } = office;
      if (!isDeepStrictEqual(office.configuration, configuration)) {
        if (!(await syncSchedules(deps, fence, configuration))) return false;
        office.configuration = configuration;
      }
      for (;;) {
        const outcome = await store.transaction((unit) => fireNext(deps, unit, { fence, graceMs }));
        if (outcome !== 'fired') return outcome === 'idle';
      }
    },
    isLeader: () => leader.fence() !== null,
    async resign() {
      led = null;
      await leader.resign();
    },
  };
}

/** Makes the stored schedules those of program and configuration. False when another one leads. */
async function syncSchedules(
  { store, catalogue, logger }: TaskSchedulerDeps,
  fence: number,
  { overrides, fault }: SchedulerConfiguration,
): Promise<boolean> {
  const warnings = fault === null ? (overrides?.warnings ?? []) : [{ name: '', reason: fault }];
  const isDone = await store.transaction(async (unit) => {
    if (!(await unit.leases.confirm(leaderResource, fence))) return false;
    const now = await unit.now();
    const known = new Map((await unit.scheduledTasks.list()).map((schedule) => [schedule.name, schedule]));
    const isLastGood = (name: string) => overrides === null && known.get(name)?.source === 'config';
    const desired = desiredSchedules(catalogue, overrides).filter(({ name }) => !isLastGood(name));
    for (const schedule of desired) {
      const nextFireAt = nextFireTime(schedule, known.get(schedule.name), now);
      await unit.scheduledTasks.put({ ...schedule, nextFireAt });
    }
    const lastGood = [...known.keys()].filter((name) => isLastGood(name) && catalogue.has(name));
    await unit.scheduledTasks.keepOnly([...desired.map(({ name }) => name), ...lastGood]);
    await unit.scheduledTasks.setWarnings(warningSource, warnings);
    return true;
  });
  if (isDone) for (const warning of warnings) logger.warn(warning, 'config_warning: schedules of tasks');
  return isDone;
}

/** Fires the schedule that has been due longest: tasks and its next time in one transaction. */
async function fireNext(
  { requests, logger, random }: TaskSchedulerDeps,
  unit: UnitOfWork,
  { fence, graceMs }: { fence: number; graceMs: number },
): Promise<'fired' | 'idle' | 'deposed'> {
  if (!(await unit.leases.confirm(leaderResource, fence))) return 'deposed';
  const schedule = await unit.scheduledTasks.lockDue();
  if (schedule?.cron == null || schedule.nextFireAt === null) return 'idle';
  const nextTime = parseCron(schedule.cron, schedule.timezone);
  const due = schedule.nextFireAt;
  const { fire, next } = dueFirings(nextTime, { due, now: await unit.now(), policy: schedule.misfirePolicy, graceMs });
  for (const fireTime of fire) {
    try {
      await request(schedule, fireTime);
    } catch (error) {
      // Arguments or name of another version of the program: the other schedules continue.
      if (!(error instanceof InvalidInputError || error instanceof NotFoundError)) throw error;
      logger.warn({ schedule: schedule.name, error }, 'cannot fire schedule');
    }
  }
  await unit.scheduledTasks.advance(schedule.name, {
    lastFireAt: fire.at(-1) ?? schedule.lastFireAt,
    nextFireAt: next,
  });
  return 'fired';

  async function request({ name, task, args, maxJitterSeconds }: ScheduledTask, fireTime: Date): Promise<void> {
    const jitterMs = Math.floor(random() * maxJitterSeconds * 1000);
    await requests.enqueue(
      task,
      args,
      {
        createdBy: 'scheduler',
        firing: { scheduleName: name, fireTime },
        ...(jitterMs > 0 ? { runAfter: new Date(fireTime.getTime() + jitterMs) } : {}),
      },
      unit,
    );
  }
}

/**
 * Firings of a schedule that was due at `due`. Those not older than `graceMs` are on time and always fire. For older
 * ones the policy decides: `skip` none, `run_once` one for all unless one is on time, `catch_up` each.
 */
function dueFirings(
  nextTime: NextTime,
  { due, now, policy, graceMs }: { due: Date; now: Date; policy: MisfirePolicy; graceMs: number },
): DueFirings {
  if (policy === 'catch_up') return collect(nextTime, due, now);
  const since = new Date(now.getTime() - graceMs);
  if (due >= since) return collect(nextTime, due, now);
  const first = nextTime(new Date(since.getTime() - 1));
  if (first !== null && first <= now) return collect(nextTime, first, now);
  return { fire: policy === 'run_once' ? [due] : [], next: first };
}

function collect(nextTime: NextTime, first: Date, now: Date): DueFirings {
  const fire: Date[] = [];
  let next: Date | null = first;
  while (next !== null && next <= now && fire.length < most) {
    fire.push(next);
    next = nextTime(next);
  }
  return { fire, next };
}
