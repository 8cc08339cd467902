import { type HostUse, messageOf, promisesOf, type Revertibility } from '#libs/domain';
import { clusterUses } from '#libs/messaging';
import type { ActionPlanView, ActionView } from '#libs/store';
import type { RouteDeps } from '../../../../api-deps.ts';
import { durationBody, type PlanDuration, tenths } from '../../../../durations/plan-durations.ts';
import { callEngine } from '../../../../http/call-engine.ts';
import { snakeCaseKeys } from '../../../../http/faults/notation.ts';
import { sideEffectsBody } from '../../../../views/action-plan-body.ts';
import { hostEffects, namesOfHosts } from './host-effects.ts';
import { placeActions, verdictOf } from './stages.ts';

/** `GET /v1/action_plans/{uuid}/preview`: the plan's effects, order, duration and reversibility. */
export async function previewActionPlan(deps: RouteDeps, plan: ActionPlanView): Promise<object> {
  const actions = await deps.store.db.actions.listByPlan(plan.uuid);
  const [estimates, descriptions, stored] = await Promise.all([
    deps.durations.estimate([plan]),
    deps.store.db.actionDescriptions.list(),
    deps.store.db.planHosts.find(plan.id),
  ]);
  const today = await requestCurrentHosts(deps, namesOfHosts(actions, stored));
  const revertible = new Map(descriptions.map((row) => [row.actionType, row.revertible]));
  const estimate = estimates.get(plan.id) as PlanDuration;
  const medians = estimate.medians();
  const places = placeActions(actions, ({ uuid }) => medians.get(uuid) ?? 0);
  const steps = actions.map((action) => stepOf(action, places, revertible.get(action.actionType) ?? null));
  steps.sort((left, right) => left.stage - right.stage);
  const takes = steps.map((step) => step.estimated_seconds);
  return {
    action_plan_uuid: plan.uuid,
    actions: steps,
    estimated_seconds: {
      at_least: tenths(estimate.seconds.low),
      one_by_one: tenths(takes.reduce((sum, seconds) => sum + seconds, 0)),
      guessed_types: estimate.source.guessed,
    },
    duration: durationBody(estimate),
    rollback: verdictOf(steps.map((step) => step.rollback)),
    model: today.problem,
    hosts_taken_at: stored?.modelTakenAt ?? null,
    today_taken_at: today.takenAt,
    unplaced: stored ? snakeCaseKeys(stored.unplaced) : null,
    hosts: snakeCaseKeys(hostEffects(actions, stored, today.uses)),
    side_effects: sideEffectsBody(stored?.quantities),
    reserve_changes: stored?.reserve ?? null,
    promises: stored ? promisesOf(stored) : null,
  };
}

function stepOf(action: ActionView, places: ReturnType<typeof placeActions>, rollback: Revertibility | null) {
  const place = places.get(action.uuid) ?? { stage: 1, startsAfter: 0, takes: 0 };
  return {
    action_uuid: action.uuid,
    action_type: action.actionType,
    input_parameters: action.inputParameters,
    state: action.state,
    stage: place.stage,
    starts_after: tenths(place.startsAfter),
    estimated_seconds: tenths(place.takes),
    rollback,
    summary: action.reason?.summary ?? null,
  };
}

/** Number of instances on the hosts now. The preview is also shown without it. */
async function requestCurrentHosts(
  deps: RouteDeps,
  hostnames: string[],
): Promise<{ uses: Map<string, HostUse>; takenAt: string | null; problem: string | null }> {
  if (hostnames.length === 0) return { uses: new Map(), takenAt: null, problem: null };
  try {
    const { taken_at: takenAt, hosts } = await callEngine(deps, clusterUses, { hostnames });
    return { uses: new Map(hosts.map(({ hostname, use }) => [hostname, use])), takenAt, problem: null };
  } catch (error) {
    return { uses: new Map(), takenAt: null, problem: messageOf(error) };
  }
}
