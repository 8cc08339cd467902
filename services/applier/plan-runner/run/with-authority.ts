import { computeReads } from '#libs/actions';
import { VigilError } from '#libs/domain';
import { type AccessRule, OpenStackError } from '#libs/openstack';
import type { ActionView } from '#libs/store';
import type { GrantedAuthority } from '../../authority/plan-authority.ts';
import { ActionPluginError, RunHeldError, RunSuspendedError, UndeclaredAccessError } from '../../errors.ts';
import { budgetOf } from '../action/plugin-calls.ts';
import type { PlanRun } from '../plan-run.ts';
import { reasonOf, statusMessages } from '../status-messages.ts';
import { failPlan, type PlanEnd } from './finish-plan.ts';

/** Pause before the next request to Keystone, in milliseconds. */
const retryMs = 30_000;

/**
 * Calls `body` with the plan's own access to the cloud, and ends that access afterwards. If Keystone refuses a
 * credential, a plan that has not started becomes FAILED, and a started plan SUSPENDED. Both wait while Keystone is
 * unavailable. Without `planAuthority` the standing credentials are used.
 * @throws RunHeldError, RunSuspendedError
 */
export async function withAuthority(
  run: PlanRun,
  rows: readonly ActionView[],
  body: (run: PlanRun) => Promise<PlanEnd>,
): Promise<PlanEnd> {
  if (run.deps.planAuthority === undefined) return body(run);
  let authority: GrantedAuthority;
  try {
    authority = await run.deps.planAuthority.open({
      planUuid: run.plan.uuid,
      fence: run.fence,
      expiresAt: endOf(run, rows),
      access: await accessOf(run, rows),
      signal: run.halt,
    });
  } catch (error) {
    run.halt.throwIfAborted();
    if (!(error instanceof VigilError)) throw error;
    const reason = reasonOf(error);
    run.deps.logger.warn({ plan: run.plan.uuid, error }, 'action plan has no credential');
    if (error.category === 'retryable') {
      throw new RunHeldError(statusMessages.waitsForCredential(reason), new Date(run.clock.now() + retryMs));
    }
    const isStarted = run.plan.rollbackState !== null || rows.some(({ startedAt }) => startedAt !== null);
    if (isStarted) throw new RunSuspendedError(statusMessages.suspendedNoCredential(reason));
    return failPlan(run, statusMessages.noCredential(reason));
  }
  try {
    return await body({ ...run, cloud: authority.cloud });
  } finally {
    await authority.close();
  }
}

/**
 * The requests that the actions of a plan and their reverts may send. Actions that cannot start because of an unusable
 * type or parameters are ignored.
 */
async function accessOf(run: PlanRun, rows: readonly ActionView[]): Promise<AccessRule[]> {
  const found = new Map<string, AccessRule>();
  for (const rule of computeReads) found.set(JSON.stringify(rule), rule);
  for (const row of rows) for (const rule of await accessOfAction(run, row)) found.set(JSON.stringify(rule), rule);
  return [...found.values()];
}

async function accessOfAction(run: PlanRun, action: ActionView): Promise<readonly AccessRule[]> {
  const { actions, cloud } = run.deps;
  const { actionType, inputParameters: input } = action;
  if (!isUsable(run, action)) return [];
  const plugin = actions.get(actionType);
  let declared: unknown;
  try {
    declared = (await plugin.access?.({ input, cloud })) ?? null;
  } catch (error) {
    if (error instanceof OpenStackError) throw error;
    throw new ActionPluginError(actionType, 'access', `failed: ${reasonOf(error)}`, { cause: error });
  }
  if (declared === null) throw new UndeclaredAccessError(actionType);
  if (Array.isArray(declared) && declared.every(isRule)) return declared;
  throw new ActionPluginError(actionType, 'access', 'returned no list of access rules');
}

function isUsable(run: PlanRun, { actionType, inputParameters }: ActionView): boolean {
  try {
    run.deps.actions.validate(actionType, inputParameters);
    return true;
  } catch {
    return false;
  }
}

/** Plugins may return anything. */
function isRule(value: unknown): value is AccessRule {
  const { service, method, path } = (value ?? {}) as Record<string, unknown>;
  const isText = typeof service === 'string' && typeof path === 'string' && path.startsWith('/');
  return isText && ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(String(method));
}

/** Latest end of the plan: its time budget plus the time budgets of its actions for a rollback. */
function endOf(run: PlanRun, rows: readonly ActionView[]): Date {
  const { planTimeoutMs } = run.options;
  const now = run.clock.now();
  const started = Math.min(now, ...rows.flatMap(({ startedAt }) => startedAt?.getTime() ?? []));
  const wayBackMs = rows.reduce((sum, row) => sum + timeOf(run, row), 0);
  return new Date(Math.max(now, started + planTimeoutMs) + Math.min(planTimeoutMs, wayBackMs));
}

function timeOf(run: PlanRun, action: ActionView): number {
  try {
    return budgetOf(run, action);
  } catch {
    return 0;
  }
}
