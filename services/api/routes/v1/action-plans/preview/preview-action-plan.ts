import { type JsonObject, messageOf, type Revertibility } from '#libs/domain';
import { modelGet } from '#libs/messaging';
import type { ActionPlanView, ActionView } from '#libs/store';
import type { RouteDeps } from '../../../../http/api-deps.ts';
import { askEngine } from '../../../../http/ask-engine.ts';
import { loadDurations } from './durations.ts';
import { hostEffects } from './host-effects.ts';
import { placeActions } from './stages.ts';

/** `GET /v1/action_plans/{uuid}/preview`: what the plan would do, in which order, for how long, and whether it can be undone. */
export async function previewActionPlan(deps: RouteDeps, plan: ActionPlanView): Promise<object> {
  const actions = await deps.store.db.actions.listByPlan(plan.uuid);
  const [durations, descriptions, model] = await Promise.all([
    loadDurations(deps.store, actions),
    deps.store.db.actionDescriptions.list(),
    loadModel(deps, actions),
  ]);
  const revertible = new Map(descriptions.map((row) => [row.actionType, row.revertible]));
  const places = placeActions(actions, durations.secondsOf);
  const steps = actions.map((action) => stepOf(action, places, revertible.get(action.actionType) ?? null));
  steps.sort((left, right) => left.stage - right.stage);
  const takes = steps.map((step) => step.estimated_seconds);
  return {
    action_plan_uuid: plan.uuid,
    actions: steps,
    estimated_seconds: {
      at_least: round(Math.max(0, ...steps.map((step) => step.starts_after + step.estimated_seconds))),
      one_by_one: round(takes.reduce((sum, seconds) => sum + seconds, 0)),
      guessed_types: durations.guessed,
    },
    rollback: verdictOf(steps.map((step) => step.rollback)),
    model: model.problem,
    hosts: hostEffects(actions, model.context),
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
    starts_after: round(place.startsAfter),
    estimated_seconds: round(place.takes),
    rollback,
    summary: action.reason?.summary ?? null,
  };
}

/** The plan can be undone as well as the worst of its actions; null when that is not known of one. */
function verdictOf(verdicts: readonly (Revertibility | null)[]): Revertibility | null {
  if (verdicts.includes('impossible')) return 'impossible';
  if (verdicts.includes(null)) return null;
  return verdicts.includes('best-effort') ? 'best-effort' : 'exact';
}

async function loadModel(
  deps: RouteDeps,
  actions: readonly ActionView[],
): Promise<{ context: JsonObject[] | null; problem: string | null }> {
  if (actions.length === 0) return { context: [], problem: null };
  try {
    const { context } = await askEngine(deps, modelGet, { data_model_type: 'compute', audit: null });
    return { context, problem: null };
  } catch (error) {
    return { context: null, problem: messageOf(error) };
  }
}

function round(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
