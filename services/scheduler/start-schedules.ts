import type { Gate } from '#libs/dependencies';
import { createRandom, type ServiceContext, startPeriodic } from '#libs/service-kit';
import type { Store } from '#libs/store';
import {
  createOverrideFile,
  createTaskCatalogue,
  createTaskRequests,
  createTaskScheduler,
  type TaskScheduler,
  taskDefinitions,
} from '#libs/tasks';
import type { schedulerEnv } from './env.ts';

/** How often schedules are looked at, and the leader's lease is renewed. */
const tickMs = 1_000;

/** Begins to evaluate the schedules of tasks wherever this process leads. */
export function startSchedules(
  { env, logger, clock, newUuid, instanceId, teardown, loops }: ServiceContext<typeof schedulerEnv>,
  { store, gate }: { store: Store; gate: Gate },
): TaskScheduler {
  const catalogue = createTaskCatalogue(taskDefinitions);
  const requests = createTaskRequests({ store, catalogue, newUuid });
  const random = createRandom(clock.now());
  const scheduler = createTaskScheduler({ store, catalogue, requests, logger, random }, { holder: instanceId });
  const overrides = createOverrideFile(env.VIGIL_TASKS_FILE, catalogue);
  const ticking = startPeriodic({
    name: 'task schedules',
    everyMs: tickMs,
    loops,
    run: async () => {
      if (gate.isOpen) await scheduler.tick(await overrides.read());
    },
    logger,
  });
  teardown.add('task schedules', async () => {
    await ticking.stop();
    await scheduler.resign();
  });
  return scheduler;
}
