import type { ActionPlan, VigilClient } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { OutcomeError } from '../errors.ts';
import { createProgressDisplay } from '../output/plan-progress.ts';

/** Waits until a plan has ended, showing how far it is. */
export async function waitForPlan(context: CliContext, client: VigilClient, uuid: string): Promise<ActionPlan> {
  const display = createProgressDisplay(context);
  try {
    return await client.waitForActionPlan(uuid, { pollMs: context.pollMs, onProgress: display.update });
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
