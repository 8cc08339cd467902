import { type ActionPlan, dataOf, type PlanProgress, type VigilClient } from '#libs/client';
import { OutcomeError, PartialOutcomeError } from '../errors.ts';
import { rangeText } from '../output/duration.ts';
import { createProgressDisplay } from '../output/plan-progress.ts';
import type { Waiter } from './waiter.ts';

/** Waits until a plan has ended, and shows its progress. */
export async function waitForPlan(waiter: Waiter, client: VigilClient, uuid: string): Promise<ActionPlan> {
  const display = createProgressDisplay(waiter.context);
  let shown = -1;
  /** The remaining time is read again when a further action has ended. A failed read does not end the wait. */
  const update = (progress: PlanProgress) => {
    display.update(progress);
    if (progress.ended === shown || progress.ended === progress.actions.length) return;
    shown = progress.ended;
    dataOf(client.api.GET('/v1/action_plans/{ident}/duration', { params: { path: { ident: uuid } } })).then(
      ({ remaining_seconds: left }) => display.left(rangeText(left)),
      () => undefined,
    );
  };
  try {
    return await waiter.wait(
      (options) => client.waitForActionPlan(uuid, { ...options, onProgress: update }),
      `action plan ${uuid} continues: vigil actionplan show ${uuid}`,
    );
  } finally {
    display.end();
  }
}

/** @throws OutcomeError when the plan ended in another state. */
export function requirePlanState(plan: ActionPlan, wanted: string): void {
  if (plan.state === wanted) return;
  throw new OutcomeError(
    `action plan ${plan.uuid} is ${plan.state}${plan.status_message ? `: ${plan.status_message}` : ''}`,
  );
}

/** @throws PartialOutcomeError when the limit of migrations left out a part of the plan. */
export async function requireWholePlan(waiter: Waiter, client: VigilClient, { uuid }: ActionPlan): Promise<void> {
  const params = { path: { ident: uuid } };
  const { cut } = await waiter.send(() => dataOf(client.api.GET('/v1/action_plans/{ident}/outcome', { params })));
  if (!cut) return;
  throw new PartialOutcomeError(
    `action plan ${uuid} partially succeeded: --max-migrations left out ${cut.actions_left_out} actions, ` +
      `${cut.migrations_left_out} of them migrations`,
  );
}
