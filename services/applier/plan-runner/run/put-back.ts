import { type JsonObject, serviceActionTypes } from '#libs/domain';
import type { ActionContext } from '#libs/plugin-kit';
import type { ActionView } from '#libs/store';
import { openActionScope } from '../action/action-scope.ts';
import { createCloudOutage } from '../action/cloud-outage.ts';
import type { PlanRun } from '../plan-run.ts';
import { statusMessages } from '../status-messages.ts';
import { recordRevert, revertAction } from './roll-back.ts';
import { occupiedBy } from './run-graph.ts';
import { withResources } from './with-resources.ts';

/** Time to read a host and its service, in milliseconds. */
const checkBudgetMs = 300_000;

/**
 * Enables again each compute service that the plan disabled, when the cloud still shows servers on its host or the plan
 * was to enable it anyway. A plan that an operator ordered leaves its hosts as they are, and so does a rollback. A
 * service that another user disabled since then stays disabled. Idempotent: a successor may call it again.
 * @throws RunSuspendedError when the cloud shows neither host nor service for too long.
 */
export async function putBack(run: PlanRun): Promise<void> {
  if (run.plan.byOrder || run.plan.rollsBack !== null) return;
  const rows = await run.writes.inTransaction((unit) => unit.actions.listByPlan(run.plan.uuid));
  for (const action of rows.filter((row) => mayBeInForce(row, rows))) {
    run.halt.throwIfAborted();
    const journal = await run.writes.persist(() => run.deps.store.db.actionAttempts.latest(action.id));
    const sent = journal?.intent.forward as JsonObject | undefined;
    if (sent === undefined) continue;
    const isStarted = action.rollbackState === 'ONGOING';
    const reason = await reasonToEnable(run, action, { sent, isStarted, isTemporary: isTemporary(action, rows) });
    if (reason === null) {
      if (isStarted) await recordRevert(run, action, 'FAILED', statusMessages.disabledByOthers);
      continue;
    }
    const use = { action, names: occupiedBy(run, action), mayWait: () => !run.halt.aborted };
    await withResources(run, use, async () => ({ ended: await revertAction(run, action, reason) }));
  }
}

function serviceOf({ actionType, inputParameters: input }: ActionView): { host: string; state: unknown } | null {
  if (!serviceActionTypes.includes(actionType)) return null;
  return { host: String(input.resource_name ?? input.resource_id), state: input.state };
}

/** Whether the action disabled a service, and neither a later action nor a rollback enabled it. */
function mayBeInForce(action: ActionView, rows: readonly ActionView[]): boolean {
  const service = serviceOf(action);
  const isOpen = action.rollbackState === null || action.rollbackState === 'ONGOING';
  if (service?.state !== 'disabled' || action.startedAt === null || !isOpen) return false;
  return !enablings(service.host, rows).some(({ state }) => state === 'SUCCEEDED');
}

/** Whether the plan has an action that enables the service later. */
function isTemporary(action: ActionView, rows: readonly ActionView[]): boolean {
  return enablings(serviceOf(action)?.host ?? '', rows).length > 0;
}

function enablings(host: string, rows: readonly ActionView[]): ActionView[] {
  return rows.filter((row) => {
    const service = serviceOf(row);
    return service?.host === host && service.state === 'enabled';
  });
}

interface Plan {
  /** Intent of the action that disabled the service. */
  sent: JsonObject;
  /** A lost run has started to enable it. */
  isStarted: boolean;
  /** The plan has an action that enables the service later. */
  isTemporary: boolean;
}

/** Reason to enable the service, from the current state of the cloud. Null when it stays disabled. */
async function reasonToEnable(run: PlanRun, action: ActionView, plan: Plan): Promise<string | null> {
  const cloudOutage = createCloudOutage(run, action);
  for (;;) {
    const deadlineMs = run.clock.now() + checkBudgetMs;
    const scope = openActionScope(run, action, { journal: null, budgetMs: checkBudgetMs, deadlineMs });
    try {
      const reason = await scope.call((context) => read(context, serviceOf(action)?.host ?? '', plan));
      await cloudOutage.end();
      return reason;
    } catch (error) {
      run.halt.throwIfAborted();
      run.deps.logger.warn({ plan: run.plan.uuid, action: action.uuid, error }, 'cannot read disabled host');
      const cause: unknown = scope.context.signal.aborted ? scope.context.signal.reason : error;
      if (!(await cloudOutage.waitOut(cause))) return null;
    } finally {
      scope.close();
    }
  }
}

async function read(
  { cloud }: ActionContext,
  label: string,
  { sent, isStarted, isTemporary: isForPlan }: Plan,
): Promise<string | null> {
  const services = await cloud.compute.listServices();
  const service = services.find(
    ({ binary, host, id }) => binary === 'nova-compute' && (host === label || id === label),
  );
  if (!service) return null;
  if (service.status !== 'disabled') return isStarted ? statusMessages.notEmptied(null) : null;
  const isOurs = (service.disabledReason || null) === (sent.disabled_reason || null);
  if (!isOurs) return null;
  if (isStarted) return statusMessages.notEmptied(null);
  const servers = await cloud.compute.listServers({ host: service.host });
  if (servers.length > 0) return statusMessages.notEmptied(servers.length);
  return isForPlan ? statusMessages.disabledForPlan : null;
}
