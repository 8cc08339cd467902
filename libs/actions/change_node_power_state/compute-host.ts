import type { SchemaValue } from '#libs/domain';
import type { BaremetalNode } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import { pollWithin } from '../change/poll.ts';
import { inputSchema } from '../schema.ts';

/** JSON Schema of the parameters. */
export const powerStateSchema = inputSchema(['resource_id', 'state'], {
  resource_id: { type: 'string' },
  resource_name: { type: 'string' },
  state: { type: 'string', enum: ['on', 'off'] },
});

/** Parameters of `change_node_power_state`. `resource_id` is the bare metal node, `resource_name` its compute host. */
export type PowerStateInput = SchemaValue<typeof powerStateSchema>;

/** Time limit for a compute service to report after its machine was powered on. */
export const serviceBudgetMs = 300_000;

/**
 * Service host of the hypervisor in `extra.compute_node_id`, otherwise `resource_name`. Null when neither is known.
 */
export async function computeHostOf(
  context: ActionContext<PowerStateInput>,
  node: BaremetalNode,
): Promise<string | null> {
  const hypervisor = node.computeNodeId === null ? null : await context.cloud.compute.getHypervisor(node.computeNodeId);
  return hypervisor?.serviceHost ?? context.input.resource_name ?? null;
}

/**
 * Waits until the compute service on a powered-on node reports, because later actions of the plan use it. A service
 * that does not report is only logged: the node is on, and its boot may take longer.
 */
export async function awaitService(context: ActionContext<PowerStateInput>, node: BaremetalNode): Promise<void> {
  const host = await computeHostOf(context, node);
  const isTheOne = (service: { binary: string; host: string }) =>
    service.binary === 'nova-compute' && service.host === host;
  const time = { intervalMs: context.options.pollIntervalMs, budgetMs: serviceBudgetMs };
  const isUp = await pollWithin(context, time, async () => {
    const service = (await context.cloud.compute.listServices()).find(isTheOne);
    return !service || service.state === 'up' ? true : undefined;
  });
  if (!isUp) context.log.warn({ action: context.uuid, host }, 'compute service does not report after power on');
}
