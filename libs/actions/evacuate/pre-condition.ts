import { moveRefusal } from '#libs/domain';
import type { ActionContext, PreConditionResult } from '#libs/plugin-kit';
import { ActionFailedError, SafetyRailError } from '../errors.ts';
import { requireUsableDestination } from '../migrate/pre-condition.ts';
import { readForCheck, readServer, requireNoShare } from '../read-for-check.ts';
import type { EvacuateInput } from './evacuation-trace.ts';

/**
 * Whether the instance is still on a down and fenced source, in a state that Nova evacuates, and the destination
 * accepts it.
 */
export async function evacuatePreCondition(context: ActionContext<EvacuateInput>): Promise<PreConditionResult> {
  const { resource_id: id, source_node: source, destination_node: destination } = context.input;
  const server = await readServer(context, id);
  if (!server) return { go: false, skip: `Instance ${id} not found` };
  if (server.host !== source) {
    return { go: false, skip: `Instance ${id} is no longer on ${source} (on ${server.host ?? 'no host'})` };
  }
  if (server.locked) throw new SafetyRailError('server_locked', `Instance ${id} is locked`);
  if (await isUpAgain(context)) return { go: false, skip: `${source} is up again: its instances are not evacuated` };
  const refusal = moveRefusal('evacuate', server);
  if (refusal !== null) {
    const state = `vm_state ${server.vmState}, task ${server.taskState ?? 'none'}`;
    throw new ActionFailedError(
      `Nova evacuates instances that are active, stopped or in error (instance ${id}: ${state})`,
    );
  }
  await requireNoShare(context, id);
  if (destination) await requireUsableDestination(context, destination);
  return { go: true };
}

/**
 * Rail: no guest is started a second time while its host may still run it. A host that only stopped reporting is not
 * sufficient.
 * @throws SafetyRailError, ActionFailedError
 */
export async function isUpAgain(context: ActionContext<EvacuateInput>): Promise<boolean> {
  const { source_node: source, fenced_by: fencedBy } = context.input;
  const services = await readForCheck(() => context.cloud.compute.listServices());
  const service = services.find(({ binary, host }) => binary === 'nova-compute' && host === source);
  if (!service || service.unreachable) throw new ActionFailedError(`Compute service of ${source} not found`);
  if (service.state === 'up' && !service.forcedDown) return true;
  if (fencedBy === 'forced_down' && !service.forcedDown) {
    throw new SafetyRailError(
      'host_not_fenced',
      `${source} is no longer forced down, and no operator confirms its fencing`,
    );
  }
  return false;
}
