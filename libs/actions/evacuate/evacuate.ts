import type { ActionContext, ActionPlugin } from '#libs/plugin-kit';
import { actOnServer } from '../access.ts';
import { ActionFailedError } from '../errors.ts';
import { type EvacuateInput, evacuateSchema, findLostEvacuation, startEvacuationTrace } from './evacuation-trace.ts';
import { evacuatePreCondition, isUpAgain } from './pre-condition.ts';
import { evacuationOf } from './server-evacuation.ts';

/**
 * Rebuilds an instance of a down and fenced host on another host, and checks its arrival by Nova's migration record.
 * It cannot be undone: its former host removes its copy of the instance when it is up again.
 */
export const evacuate: ActionPlugin<EvacuateInput> = {
  kind: 'action',
  name: 'evacuate',
  description: 'Rebuilding a VM instance of a failed, fenced compute node on another one',
  schema: evacuateSchema,
  revertible: 'impossible',
  abortable: false,
  timeoutMs: (_input, options) => options.migrationTimeoutMs * 1.2,
  // The source does nothing in an evacuation, so only the destination bears its load.
  occupies: (input) => [
    ...(input.destination_node ? [`destination:${input.destination_node}`] : []),
    `resource:${input.resource_id}`,
  ],
  access: async ({ input }) => [actOnServer(input.resource_id)],
  preCondition: evacuatePreCondition,
  execute,
  postCondition: async () => {},
  probe: (context) => evacuationOf(context).probe(),
  waitFor: execute,
  findLost: findLostEvacuation,
  revert: async () => false,
  describeRevert: () => null,
  describeIrreversible: ({ resource_id: id, resource_name: name, source_node: source }) =>
    `The evacuation of ${name ?? id} cannot be undone. ${source} takes instances again once its nova-compute has ` +
    'restarted and its forced_down is cleared, in this order.',
  abort: async () => false,
};

/** Idempotent: waits for an earlier request, and repeats it only when the cloud shows no trace of it. */
async function execute(context: ActionContext<EvacuateInput>): Promise<boolean> {
  const evacuation = evacuationOf(context);
  const known = await evacuation.visibleTrace();
  if (known) return evacuation.settle(known);
  const server = await context.cloud.compute.getServer(context.input.resource_id);
  if (!server) throw new ActionFailedError(`The instance '${context.input.resource_id}' could not be found`);
  if (await isUpAgain(context)) throw new ActionFailedError(`${context.input.source_node} is up again`);
  const trace = await startEvacuationTrace(context, server);
  const { compute } = context.cloud;
  return evacuation.sendAndSettle(trace, () => compute.evacuate(context.input.resource_id, trace.destination));
}
