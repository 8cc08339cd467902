import type { JsonValue } from '#libs/domain';
import { type BaremetalNode, OpenStackError } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import { intentOf, type JournalSlot, resultOf } from '../change/journal-slot.ts';
import { pollWithin } from '../change/poll.ts';
import { sendOnce } from '../change/send-once.ts';
import { ActionFailedError } from '../errors.ts';
import { awaitService, type PowerStateInput } from './compute-host.ts';
import { requireEmptyHost } from './empty-host.ts';
import { isIn, isOnTheWay, type Power, powerTargets } from './power.ts';

/** Time limit for the power change of a node: Watcher's 60 polls, 10 s apart. */
export const powerBudgetMs = 600_000;

/** Requests while another operation, such as Ironic's own check, has locked the node. */
const lockedTries = 6;

/**
 * Powers the node on or off and waits until Ironic reports exactly this state. Idempotent.
 * @throws ActionFailedError with Ironic's reason, SafetyRailError when the host is not empty.
 */
export async function changePower(
  context: ActionContext<PowerStateInput>,
  slot: 'forward' | 'backward',
  power: Power,
): Promise<boolean> {
  const before = await readNode(context);
  if (isIn(before, power)) return true;
  const former = formerNode(context, slot) ?? before;
  requireHealthy(before, former);
  // A request that Ironic accepted may fail with the same text as an earlier error.
  const wasAccepted = resultOf(context, slot)?.accepted === true;
  if (!isOnTheWay(before, power) && !wasAccepted) {
    if (power === 'off') await requireEmptyHost(context, before);
    await sendOnce(context, {
      slot,
      intent: {
        power,
        former_power_state: before.powerState,
        former_error: before.lastError,
        former_change: before.powerChangedAt,
      },
      send: () => sendPatiently(context, power),
      tookEffect: async () => {
        const node = await readNode(context);
        return isIn(node, power) || isOnTheWay(node, power) || hasStartedSince(node, former);
      },
    });
  }
  await arrive(context, power, formerNode(context, slot) ?? before);
  if (power === 'on') await awaitService(context, before);
  return true;
}

/** The node of the action. @throws ActionFailedError without one. */
export async function readNode(context: ActionContext<PowerStateInput>): Promise<BaremetalNode> {
  const node = await context.cloud.baremetal.getNode(context.input.resource_id);
  if (!node) throw new ActionFailedError(`Bare metal node ${context.input.resource_id} not found`);
  return node;
}

async function arrive(context: ActionContext<PowerStateInput>, power: Power, former: FormerNode): Promise<void> {
  const time = { intervalMs: context.options.pollIntervalMs, budgetMs: powerBudgetMs };
  const arrived = await pollWithin(context, time, async () => {
    const node = await readNode(context);
    if (isIn(node, power)) return true;
    requireHealthy(node, isOnTheWay(node, power) ? node : former);
    return undefined;
  });
  if (arrived) return;
  const { powerState } = await readNode(context);
  const seconds = powerBudgetMs / 1000;
  throw new ActionFailedError(
    `Node ${context.input.resource_id} is in power state ${powerState} instead of ${powerTargets[power]} after ${seconds}s`,
  );
}

/** @throws ActionFailedError with the maintenance reason when the node is in maintenance */
export function requireInService({ uuid, maintenance, maintenanceReason }: BaremetalNode): void {
  if (!maintenance) return;
  throw new ActionFailedError(`Node ${uuid} is in maintenance${maintenanceReason ? `: ${maintenanceReason}` : ''}`);
}

/** State of a node before the request. Journals of versions before 0.2.0 lack the time of the last power change. */
export type FormerNode = Pick<BaremetalNode, 'lastError'> & Partial<Pick<BaremetalNode, 'powerChangedAt'>>;

/** State of the node at the last request. Undefined before the first one. */
export function formerNode(context: ActionContext<PowerStateInput>, slot: JournalSlot): FormerNode | undefined {
  const intent = intentOf(context, slot);
  const textOf = (value: JsonValue | undefined) => (typeof value === 'string' ? value : null);
  if (!intent) return undefined;
  const { former_error: error, former_change: change } = intent;
  return { lastError: textOf(error), ...(change === undefined ? {} : { powerChangedAt: textOf(change) }) };
}

/**
 * Whether Ironic has started to change the node since then. This is the only trace of a change that failed
 * immediately.
 */
export function hasStartedSince(node: BaremetalNode, former: FormerNode): boolean {
  const { powerChangedAt } = former;
  return powerChangedAt !== undefined && node.powerChangedAt !== null && node.powerChangedAt !== powerChangedAt;
}

/** Whether an error is new. An error from before the request has nothing to do with it. */
export function hasNewError(node: BaremetalNode, former: FormerNode): boolean {
  return node.lastError !== null && (node.lastError !== former.lastError || hasStartedSince(node, former));
}

function requireHealthy(node: BaremetalNode, former: FormerNode): void {
  requireInService(node);
  if (hasNewError(node, former)) {
    throw new ActionFailedError(`Node ${node.uuid} reports an error: ${node.lastError}`);
  }
}

async function sendPatiently(context: ActionContext<PowerStateInput>, power: Power): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await context.cloud.baremetal.setPowerState(context.input.resource_id, powerTargets[power]);
      return;
    } catch (error) {
      const isLocked = error instanceof OpenStackError && error.status === 409;
      if (!isLocked || tries >= lockedTries) throw error;
    }
    await context.sleep(context.options.pollIntervalMs);
    await context.guard();
  }
}
