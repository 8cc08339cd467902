import type { ActionContext, ActionPlugin, PreConditionResult, ProbeResult } from '#libs/plugin-kit';
import { powerNode } from '../access.ts';
import { probeResult } from '../change/change.ts';
import { intentOf, resultOf } from '../change/journal-slot.ts';
import { ActionFailedError } from '../errors.ts';
import { readForCheck } from '../read-for-check.ts';
import {
  changePower,
  formerNode,
  hasNewError,
  hasStartedSince,
  powerBudgetMs,
  readNode,
  requireInService,
} from './change-power.ts';
import { type PowerStateInput, powerStateSchema, serviceBudgetMs } from './compute-host.ts';
import { requireEmptyHost } from './empty-host.ts';
import { isIn, isOnTheWay } from './power.ts';

/**
 * Powers the node of a compute host on or off through Ironic. Powers it off only when the host is empty and disabled.
 */
export const changeNodePowerState: ActionPlugin<PowerStateInput> = {
  kind: 'action',
  name: 'change_node_power_state',
  description: 'Compute node power on/off through Ironic or MaaS.',
  schema: powerStateSchema,
  revertible: 'best-effort',
  abortable: false,
  timeoutMs: () => (powerBudgetMs + serviceBudgetMs) * 1.2,
  occupies: ({ resource_id: id, resource_name: name }) => [
    `resource:${id}`,
    ...(name && name !== id ? [`resource:${name}`] : []),
  ],
  access: async ({ input }) => powerNode(input.resource_id),
  preCondition,
  execute: (context) => changePower(context, 'forward', context.input.state),
  postCondition: async () => {},
  probe,
  waitFor: (context) => changePower(context, 'forward', context.input.state),
  revert,
  revertCondition,
  describeRevert: (input) => `Powers ${input.resource_name ?? `node ${input.resource_id}`} ${formerOf(input)} again`,
  abort: async () => false,
};

/** Whether the node is unchanged since the plan, so that its change may be reverted. */
async function revertCondition(context: ActionContext<PowerStateInput>): Promise<PreConditionResult> {
  const { resource_id: id, state } = context.input;
  if (!intentOf(context, 'forward')) {
    return { go: false, skip: `Bare metal node ${id} was not powered ${state} by the action plan` };
  }
  const node = await readForCheck(() => readNode(context));
  if (!isIn(node, state)) return { go: false, skip: `Bare metal node ${id} is no longer powered ${state}` };
  requireInService(node);
  if (state === 'on') await readForCheck(() => requireEmptyHost(context, node));
  return { go: true };
}

function formerOf({ state }: PowerStateInput): 'on' | 'off' {
  return state === 'on' ? 'off' : 'on';
}

async function preCondition(context: ActionContext<PowerStateInput>): Promise<PreConditionResult> {
  const { resource_id: id, state } = context.input;
  if (!(await readForCheck(() => context.cloud.hasBaremetalService()))) {
    throw new ActionFailedError('The cloud has no bare metal service');
  }
  const node = await readForCheck(() => readNode(context));
  if (isIn(node, state)) return { go: false, skip: `Bare metal node ${id} is already powered ${state}` };
  requireInService(node);
  if (state === 'off') await readForCheck(() => requireEmptyHost(context, node));
  return { go: true };
}

async function probe(context: ActionContext<PowerStateInput>): Promise<ProbeResult> {
  const former = formerNode(context, 'forward');
  if (!former) return 'not_started';
  const node = await readNode(context);
  if (isIn(node, context.input.state)) return 'applied';
  if (isOnTheWay(node, context.input.state)) return 'in_progress';
  if (hasNewError(node, former)) return 'failed';
  return probeResult('idle', hasStartedSince(node, former) || resultOf(context, 'forward')?.accepted === true);
}

async function revert(context: ActionContext<PowerStateInput>): Promise<boolean> {
  if (!intentOf(context, 'forward')) return true;
  return changePower(context, 'backward', formerOf(context.input));
}
