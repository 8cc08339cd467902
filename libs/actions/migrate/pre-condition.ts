import { forcedDownText, moveRefusal } from '#libs/domain';
import type { Server } from '#libs/openstack';
import type { ActionContext, PreConditionResult } from '#libs/plugin-kit';
import { resultOf } from '../change/journal-slot.ts';
import { ActionFailedError } from '../errors.ts';
import { readForCheck, readServer, requireMovable, requireNoShare } from '../read-for-check.ts';
import type { MigrateInput } from './migration-trace.ts';

/**
 * Whether the instance is still on the source of the plan, and the destination accepts it. In the order and with the
 * texts of Watcher.
 */
export async function migratePreCondition(context: ActionContext<MigrateInput>): Promise<PreConditionResult> {
  const { resource_id: id, source_node: source, migration_type: type } = context.input;
  const server = await readServer(context, id);
  if (!server) return { go: false, skip: `Instance ${id} not found` };
  if (server.host !== source) {
    const where = `(currently on ${server.host ?? 'no host'})`;
    return { go: false, skip: `Instance ${id} is not running on source node ${source} ${where}` };
  }
  if (context.input.destination_node) await requireUsableDestination(context, context.input.destination_node);
  requireMovable(server);
  requireCondition(type, server);
  await requireNoShare(context, id);
  await requireUp(context, source);
  return { go: true };
}

const kinds = { live: 'Live', cold: 'Cold' };
const statuses = { live: 'ACTIVE or PAUSED', cold: 'ACTIVE or SHUTOFF' };

/** Nova's conditions for the server, in Watcher's words where it has some. */
function requireCondition(type: 'live' | 'cold', server: Server): void {
  const refusal = moveRefusal(type, server);
  if (refusal === null) return;
  if (refusal === 'task_state')
    throw new ActionFailedError(`Instance ${server.uuid} is busy (task ${server.taskState})`);
  const isStatus = refusal === 'vm_state';
  const wanted = isStatus ? `to be in ${statuses[type]} status` : 'to run or to be paused';
  const found = isStatus ? `current status: ${server.status}` : `power state ${server.powerState}`;
  throw new ActionFailedError(`${kinds[type]} migration requires instance ${server.uuid} ${wanted} (${found})`);
}

/** Nova cannot move instances off a host whose compute service is down. */
async function requireUp(context: ActionContext<MigrateInput>, source: string): Promise<void> {
  const hypervisor = await readForCheck(() => context.cloud.compute.findHypervisorByServiceHost(source));
  if (hypervisor?.state === 'down') throw new ActionFailedError(`Source node ${source} is down`);
}

/** Whether the instance is still on the plan's destination, so that it may be moved back. */
export async function migrateRevertCondition(context: ActionContext<MigrateInput>): Promise<PreConditionResult> {
  const { resource_id: id, source_node: source, destination_node: destination } = context.input;
  const server = await readServer(context, id);
  if (!server) return { go: false, skip: `Instance ${id} not found` };
  if (server.host === source) return { go: false, skip: `Instance ${id} is on ${source} already` };
  const arrivedOn = destination || resultOf(context, 'forward')?.destination;
  if (typeof arrivedOn === 'string' && server.host !== arrivedOn) {
    const where = `${server.host ?? 'no host'}, not on ${arrivedOn} where the action plan put it`;
    return { go: false, skip: `Instance ${id} is on ${where}` };
  }
  await requireUsableDestination(context, source);
  requireMovable(server);
  if (server.host !== null) await requireUp(context, server.host);
  return { go: true };
}

/** @throws ActionFailedError unless the destination exists, is up and enabled. */
export async function requireUsableDestination(
  context: Omit<ActionContext, 'input'>,
  destination: string,
): Promise<void> {
  const hypervisor = await context.cloud.compute.findHypervisorByServiceHost(destination).catch((error: unknown) => {
    context.signal.throwIfAborted();
    context.log.warn({ action: context.uuid, destination, err: error }, 'cannot look up destination');
    return null;
  });
  if (!hypervisor) throw new ActionFailedError(`Destination node ${destination} not found`);
  if (hypervisor.status !== 'enabled') {
    throw new ActionFailedError(`Destination node ${destination} is not in enabled state`);
  }
  if (hypervisor.state === 'down') {
    const services = await readForCheck(() => context.cloud.compute.listServices());
    const isForced = services.some(({ binary, host, forcedDown }) => {
      return binary === 'nova-compute' && host === destination && forcedDown;
    });
    const why = isForced ? `: ${forcedDownText(destination)}` : '';
    throw new ActionFailedError(`Destination node ${destination} is down${why}`);
  }
}
