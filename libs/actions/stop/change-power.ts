import type { Server } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import { pollWithin } from '../poll.ts';
import { sendOnce } from '../send-once.ts';

/** Time for a server to stop or start: Watcher's 8 looks, 10 s apart. */
export const powerBudgetMs = 80_000;

type Wanted = 'stopped' | 'active';

const tasks: Record<Wanted, string> = { stopped: 'powering-off', active: 'powering-on' };

/**
 * Stops or starts the server, unless it is so already or about to be, and waits. Answers it as it is then, null when it
 * is gone.
 */
export async function changePower(
  context: ActionContext<{ resource_id: string }>,
  slot: 'forward' | 'backward',
  wanted: Wanted,
): Promise<Server | null> {
  const { compute } = context.cloud;
  const { resource_id: uuid } = context.input;
  const look = () => compute.getServer(uuid);
  const isUnderWay = (server: Server | null) =>
    !server || server.vmState === wanted || server.taskState === tasks[wanted];

  const before = await look();
  if (!before || before.vmState === wanted) return before;
  if (!isUnderWay(before)) {
    await sendOnce(context, {
      slot,
      intent: { wanted, former_vm_state: before.vmState },
      send: () => (wanted === 'stopped' ? compute.stopServer(uuid) : compute.startServer(uuid)),
      tookEffect: async () => isUnderWay(await look()),
      mayHappenAnyway: true,
    });
  }
  const time = { intervalMs: context.options.pollIntervalMs, budgetMs: powerBudgetMs };
  const settled = await pollWithin(context, time, async () => {
    const server = await look();
    return !server || server.vmState === wanted || server.vmState === 'error' ? { server } : undefined;
  });
  return settled ? settled.server : look();
}
