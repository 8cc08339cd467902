import { isStale, type PlanStaleness, stalenessText } from '#libs/domain';
import { requestPlanGain } from '#libs/messaging';
import {
  type ActionPlanView,
  ApprovalWantedError,
  areJudged,
  type ChangedHost,
  heldText,
  holdingStates,
  readPlanAge,
  type UnitOfWork,
  voidApproval,
} from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { conflict } from '../../../http/faults/fault.ts';
import { timestamp } from '../../../http/watcher-text/timestamps.ts';
import { approvalConflict } from './require-approval.ts';

/** Maximum number of changed hosts in one body. */
const mostHosts = 100;

/** Host changes that were accepted before the transaction of the start. */
export type JudgedChanges = readonly ChangedHost[];

interface Judged {
  staleness: PlanStaleness;
  changes: ChangedHost[];
}

/**
 * Compares the plan with the current cloud. A decision engine evaluates a plan whose strategy stated a gain. It
 * repeats the moves of another plan when hosts changed.
 */
async function judge({ store, bus }: RouteDeps, plan: ActionPlanView): Promise<Judged> {
  const { age, changes } = await readPlanAge(store.db, plan);
  const hasObjective = (await store.db.planObjectives.find(plan.id)) !== null;
  const gain =
    hasObjective || changes.length > 0
      ? await requestPlanGain(bus, plan.uuid)
      : { gain: null, gainUnknownBecause: 'its strategy does not evaluate plans', repeated: null };
  return { staleness: { ...age, ...gain }, changes };
}

/**
 * Refuses to start a plan that is no longer valid, unless the request confirms it. The approval of a plan becomes void
 * then, whether or not the request confirms it.
 * @returns the changes that were accepted
 * @throws ApiFault 409 with the numbers and the alternatives.
 */
export async function refuseStale(deps: RouteDeps, plan: ActionPlanView, force = false): Promise<JudgedChanges> {
  const isApproved = plan.approval === 'given';
  if (plan.state !== 'RECOMMENDED' || (force && !isApproved) || plan.forceStale) return [];
  const { staleness, changes } = await judge(deps, plan);
  if (!isStale(staleness)) return changes;
  if (!isApproved) throw staleConflict(plan, staleness);
  await deps.store.transaction((unit) => voidApproval(unit, plan, stalenessText(staleness)));
  throw approvalConflict(new ApprovalWantedError(await deps.store.db.actionPlans.get(plan.uuid)));
}

/**
 * Refuses to approve a plan that is no longer valid.
 * @returns the changes that were accepted
 * @throws ApiFault 409
 */
export async function refuseStaleApproval(deps: RouteDeps, plan: ActionPlanView): Promise<JudgedChanges | 'forced'> {
  if (plan.forceStale) return 'forced';
  const { staleness, changes } = await judge(deps, plan);
  if (isStale(staleness)) throw staleApproval(plan, staleness);
  return changes;
}

/**
 * Refuses hosts that changed after the staleness check. Binds the plan to their current versions. Call it in the
 * transaction of the start, after the admission.
 * @throws ApiFault 409
 */
export async function acceptHosts(
  unit: UnitOfWork,
  plan: ActionPlanView,
  judged: JudgedChanges | 'forced',
): Promise<void> {
  if (judged !== 'forced' && plan.state === 'RECOMMENDED') {
    const { age, changes } = await readPlanAge(unit, plan);
    const unknown = { gain: null, gainUnknownBecause: 'a host changed during the start', repeated: null };
    const staleness = { ...age, ...unknown };
    if (!areJudged(changes, judged)) throw staleConflict(plan, staleness);
  }
  await unit.planHolds.accept(plan.id);
}

function staleApproval({ uuid }: ActionPlanView, staleness: PlanStaleness) {
  return conflict(
    `Action plan ${uuid} is stale: ${stalenessText(staleness)}. ` +
      'Run its audit again, or approve it with force_stale (vigil actionplan approve --force-stale).',
  );
}

function staleConflict({ uuid }: ActionPlanView, staleness: PlanStaleness) {
  return conflict(
    `Action plan ${uuid} is stale: ${stalenessText(staleness)}. ` +
      'Run its audit again, or start the plan with force_stale (vigil actionplan start --force-stale).',
  );
}

/** `GET /v1/action_plans/{uuid}/staleness`. */
export async function stalenessBody(deps: RouteDeps, plan: ActionPlanView): Promise<object> {
  const { staleness, changes } = await judge(deps, plan);
  const { hosts, known, changed, migrations, gain, gainUnknownBecause, repeated } = staleness;
  const [holder = null] =
    plan.state === 'RECOMMENDED' ? await deps.store.db.planHolds.holders(plan.id, holdingStates) : [];
  return {
    action_plan_uuid: plan.uuid,
    stale: isStale(staleness) && !(plan.state === 'RECOMMENDED' && plan.forceStale),
    text: stalenessText(staleness),
    forced: plan.forceStale,
    hosts,
    hosts_known: known,
    hosts_changed: changed,
    migrations_since: migrations,
    changed: changes.slice(0, mostHosts).map(({ hostname, planned, current, changedAt }) => ({
      hostname,
      planned_version: planned,
      current_version: current,
      changed_at: timestamp(changedAt),
    })),
    gain: gain === null ? null : { left: gain.left, promised_points: gain.promised, now_points: gain.now },
    gain_unknown_because: gainUnknownBecause,
    repeated: repeated && {
      moves: repeated.moves,
      obstacles: repeated.obstacles,
      first_obstacle: repeated.firstObstacle,
    },
    held_by: holder && { action_plan_uuid: holder.uuid, state: holder.state, text: heldText(holder) },
  };
}
