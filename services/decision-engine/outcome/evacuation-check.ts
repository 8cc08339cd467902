import { type ComputeSnapshot, hostFlag } from '#libs/cluster-model';
import type { Clock, JsonObject, Logger } from '#libs/domain';
import type { Cloud } from '#libs/openstack';
import type { ActionView, Store } from '#libs/store';
import type { ModelKeeper } from '../model/model-keeper.ts';

export interface EvacuationCheckDeps {
  store: Pick<Store, 'db' | 'transaction'>;
  model: Pick<ModelKeeper, 'fresh'>;
  cloud: Pick<Cloud, 'compute' | 'placement'>;
  clock: Clock;
  logger: Logger;
}

/**
 * State of an evacuation once its host is up again. `verified`: Nova has removed the old guest and released its room.
 * `left-over`: it has not (yet). `gone`: the instance was deleted since.
 */
type Verdict = { state: 'verified' | 'left-over' | 'gone'; detail: string };

/** Evacuations that ended longer ago are not checked any more. */
const historyMs = 90 * 24 * 3_600_000;
/** Age up to which a picture of the hosts will do. */
const modelAgeMs = 600_000;

/**
 * Makes a function that checks every evacuation whose host is up again for remains of the instance, and keeps the
 * verdict in the `outcome` of its plan as `evacuations`, by uuid of the instance. Verified and deleted ones are not
 * checked again.
 */
export function createEvacuationCheck(deps: EvacuationCheckDeps): () => Promise<void> {
  return async () => {
    const since = new Date((await deps.store.db.now()).getTime() - historyMs);
    const actions = await deps.store.db.actions.list({
      filters: [
        { field: 'actionType', value: 'evacuate' },
        { field: 'state', value: 'SUCCEEDED' },
        { field: 'endedAt', op: 'gte', value: since },
      ],
    });
    for (const plan of new Set(actions.map(({ actionPlanUuid }) => actionPlanUuid))) {
      const evacuations = actions.filter(({ actionPlanUuid }) => actionPlanUuid === plan);
      await checkPlan(plan, evacuations, deps);
    }
  };
}

async function checkPlan(planUuid: string, actions: readonly ActionView[], deps: EvacuationCheckDeps): Promise<void> {
  const plan = await deps.store.db.actionPlans.find(planUuid);
  if (!plan) return;
  const known = evacuationsOf(plan.outcome);
  const open = actions.filter((action) => !isSettled(known[instanceOf(action)]));
  if (open.length === 0) return;
  const snapshot = await deps.model.fresh(modelAgeMs);
  const found: Record<string, JsonObject> = {};
  for (const action of open) {
    const verdict = await judge(action, snapshot, deps);
    if (verdict === null) continue;
    const source = String(action.inputParameters.source_node);
    found[instanceOf(action)] = { ...verdict, source, checkedAt: new Date(deps.clock.now()).toISOString() };
    const fields = { plan: planUuid, action: action.uuid, source, state: verdict.state };
    if (verdict.state === 'left-over')
      deps.logger.warn(fields, 'an evacuated instance left something on its former host');
    else deps.logger.info(fields, 'evacuation verified');
  }
  if (Object.keys(found).length === 0) return;
  await deps.store.transaction(async (unit) => {
    await unit.lock(`outcome:${planUuid}`);
    const { outcome } = await unit.actionPlans.get(planUuid);
    const evacuations = { ...evacuationsOf(outcome), ...found };
    await unit.actionPlans.update(planUuid, { outcome: { ...outcome, evacuations } });
  });
}

const instanceOf = ({ inputParameters }: ActionView) => String(inputParameters.resource_id);

function evacuationsOf(outcome: JsonObject | null): Record<string, JsonObject> {
  return (outcome?.evacuations ?? {}) as Record<string, JsonObject>;
}

function isSettled(entry: JsonObject | undefined): boolean {
  return entry?.state === 'verified' || entry?.state === 'gone';
}

/** Null while the host is not back. */
async function judge(
  { inputParameters: { resource_id: id, source_node: source } }: ActionView,
  { hosts, hostInfo }: ComputeSnapshot,
  { cloud }: EvacuationCheckDeps,
): Promise<Verdict | null> {
  const row = hostInfo.findIndex(({ hostname }) => hostname === source);
  const flags = hosts.flags[row] ?? 0;
  if ((flags & hostFlag.up) === 0 || (flags & hostFlag.forcedDown) !== 0) return null;
  const uuid = String(id);
  const server = await cloud.compute.getServer(uuid);
  if (!server) return { state: 'gone', detail: 'the instance was deleted' };
  if (server.host === source) return { state: 'verified', detail: 'the instance was moved back since' };
  const allocations = await cloud.placement.getAllocations(hostInfo[row]?.uuid ?? '');
  if (allocations?.has(uuid)) {
    return { state: 'left-over', detail: `it still holds room on ${source}: restart nova-compute there` };
  }
  const records = await cloud.compute.listMigrations({ serverUuid: uuid });
  const open = records.find(
    ({ type, sourceHost, status }) => type === 'evacuation' && sourceHost === source && status === 'done',
  );
  if (open)
    return {
      state: 'left-over',
      detail: `Nova migration ${open.id} is not completed: restart nova-compute on ${source}`,
    };
  return { state: 'verified', detail: `nothing of it is left on ${source}` };
}
