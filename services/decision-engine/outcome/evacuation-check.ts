import { type ComputeSnapshot, hostFlag } from '#libs/cluster-model';
import { type Clock, evacuatingActionTypes, type JsonObject, type Logger } from '#libs/domain';
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
 * State of an evacuation whose host is forced down or up again. `waiting`: the host is still forced down. `verified`:
 * Nova has removed the old guest and released its allocations. `left-over`: Nova has not removed it yet. `gone`: the
 * instance was deleted since then.
 */
type Verdict = { state: 'waiting' | 'verified' | 'left-over' | 'gone'; detail: string };

/** Older evacuations are no longer checked. */
const historyMs = 90 * 24 * 3_600_000;
/** Maximum age of the model of the hosts. */
const modelAgeMs = 600_000;

/**
 * Creates a function that checks the former hosts of evacuations for remains of the instances. It stores the verdicts
 * in the `outcome` of the plan as `evacuations`, by uuid of the instance. While a host is forced down, the verdict
 * names the next step. Verified and deleted instances are not checked again.
 */
export function createEvacuationCheck(deps: EvacuationCheckDeps): () => Promise<void> {
  return async () => {
    const since = new Date((await deps.store.db.now()).getTime() - historyMs);
    const actions = await deps.store.db.actions.list({
      filters: [
        { field: 'actionType', op: 'in', value: evacuatingActionTypes },
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
    if (verdict === null || isKnown(known[instanceOf(action)], verdict)) continue;
    const source = String(action.inputParameters.source_node);
    found[instanceOf(action)] = { ...verdict, source, checkedAt: new Date(deps.clock.now()).toISOString() };
    const fields = { plan: planUuid, action: action.uuid, source, state: verdict.state };
    log(deps.logger, verdict, fields);
  }
  if (Object.keys(found).length === 0) return;
  await deps.store.transaction(async (unit) => {
    await unit.lock(`outcome:${planUuid}`);
    const { outcome } = await unit.actionPlans.get(planUuid);
    const evacuations = { ...evacuationsOf(outcome), ...found };
    await unit.actionPlans.update(planUuid, { outcome: { ...outcome, evacuations } });
  });
}

function log(logger: Logger, { state, detail }: Verdict, fields: JsonObject): void {
  if (state === 'left-over') logger.warn(fields, 'evacuated instance left resources on its former host');
  else if (state === 'waiting') logger.info({ ...fields, detail }, 'host of an evacuation is still forced down');
  else logger.info(fields, 'evacuation verified');
}

const instanceOf = ({ inputParameters }: ActionView) => String(inputParameters.resource_id);

function evacuationsOf(outcome: JsonObject | null): Record<string, JsonObject> {
  return (outcome?.evacuations ?? {}) as Record<string, JsonObject>;
}

/** A waiting state is stored once, not with each check. */
function isKnown(entry: JsonObject | undefined, { state, detail }: Verdict): boolean {
  return state === 'waiting' && entry?.state === state && entry.detail === detail;
}

function isSettled(entry: JsonObject | undefined): boolean {
  return entry?.state === 'verified' || entry?.state === 'gone';
}

/** Null while the host is down but not forced down. */
async function judge(
  { inputParameters: { resource_id: id, source_node: source } }: ActionView,
  { hosts, hostInfo }: ComputeSnapshot,
  { cloud }: EvacuationCheckDeps,
): Promise<Verdict | null> {
  const row = hostInfo.findIndex(({ hostname }) => hostname === source);
  const flags = hosts.flags[row] ?? 0;
  const isForcedDown = (flags & hostFlag.forcedDown) !== 0;
  if ((flags & hostFlag.up) === 0 && !isForcedDown) return null;
  const uuid = String(id);
  const server = await cloud.compute.getServer(uuid);
  if (!server) return { state: 'gone', detail: 'the instance was deleted' };
  if (server.host === source) return { state: 'verified', detail: 'the instance was moved back since' };
  if (isForcedDown) return { state: 'waiting', detail: await stepOf(String(source), uuid, cloud) };
  const allocations = await cloud.placement.getAllocations(hostInfo[row]?.uuid ?? '');
  if (allocations?.has(uuid)) {
    return { state: 'left-over', detail: `it still holds room on ${source}: restart nova-compute there` };
  }
  const open = await openRecord(String(source), uuid, cloud);
  if (open)
    return {
      state: 'left-over',
      detail: `Nova migration ${open.id} is not completed: restart nova-compute on ${source}`,
    };
  return { state: 'verified', detail: `nothing of it is left on ${source}` };
}

/** The record of an evacuation that nova-compute on the source has not completed. */
async function openRecord(source: string, serverUuid: string, { compute }: Pick<Cloud, 'compute'>) {
  const records = await compute.listMigrations({ serverUuid });
  return records.find(
    ({ type, sourceHost, status }) => type === 'evacuation' && sourceHost === source && status === 'done',
  );
}

/** The next step for a host that is forced down. */
async function stepOf(source: string, serverUuid: string, cloud: Pick<Cloud, 'compute'>): Promise<string> {
  const isOpen = (await openRecord(source, serverUuid, cloud)) !== undefined;
  return isOpen
    ? `Nova refuses to clear forced_down until nova-compute on ${source} has restarted`
    : `nova-compute on ${source} has restarted: clear its forced_down`;
}
