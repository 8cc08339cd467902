import type { ActionContext, ActionPlugin, ProbeResult } from '#libs/plugin-kit';
import { resultOf } from '../change/journal-slot.ts';
import { pollUntil } from '../change/poll.ts';
import { sendOnce } from '../change/send-once.ts';
import { idlePolls, moveFailure, probeResult } from '../change/settle-move.ts';
import { ActionFailedError } from '../errors.ts';
import {
  type EvacuateInput,
  type EvacuationSight,
  type EvacuationTrace,
  evacuateSchema,
  evacuationTraceOf,
  findLostEvacuation,
  sight,
  startEvacuationTrace,
} from './evacuation-trace.ts';
import { evacuatePreCondition, isUpAgain } from './pre-condition.ts';

/**
 * Rebuilds an instance of a host that is down and fenced on another host, and proves its arrival by Nova's migration
 * record. It cannot be undone: its former host, once up again, removes its copy of the instance.
 */
export const evacuate: ActionPlugin<EvacuateInput> = {
  kind: 'action',
  name: 'evacuate',
  description: 'Rebuilding a VM instance of a failed, fenced compute node on another one',
  schema: evacuateSchema,
  revertible: 'impossible',
  abortable: false,
  timeoutMs: (_input, options) => options.migrationTimeoutMs * 1.2,
  // The source does nothing in it, so that only the destination bears its load.
  occupies: (input) => [
    ...(input.destination_node ? [`destination:${input.destination_node}`] : []),
    `resource:${input.resource_id}`,
  ],
  preCondition: evacuatePreCondition,
  execute,
  postCondition: async () => {},
  probe,
  waitFor: execute,
  findLost: findLostEvacuation,
  revert: async () => false,
  describeRevert: () => null,
  describeIrreversible: ({ resource_id: id, resource_name: name, source_node: source }) =>
    `The evacuation of ${name ?? id} cannot be undone. ${source} takes instances again once its nova-compute has ` +
    'restarted and its forced_down is cleared, in this order.',
  abort: async () => false,
};

/** Safe to call again: waits for an earlier request, and sends it again only when the cloud shows no sign of it. */
async function execute(context: ActionContext<EvacuateInput>): Promise<boolean> {
  const asked = evacuationTraceOf(context);
  if (asked && (await sight(context, asked)).kind !== 'idle') return settle(context, asked);
  const server = await context.cloud.compute.getServer(context.input.resource_id);
  if (!server) throw new ActionFailedError(`The instance '${context.input.resource_id}' could not be found`);
  if (await isUpAgain(context)) throw new ActionFailedError(`${context.input.source_node} is up again`);
  const fresh = await startEvacuationTrace(context, server);
  // A request of an earlier attempt may still come. Its record counts as well.
  const trace = asked ? { ...fresh, after_migration_id: asked.after_migration_id } : fresh;
  await sendOnce(context, {
    slot: 'forward',
    intent: trace,
    send: () => context.cloud.compute.evacuate(context.input.resource_id, trace.destination),
    tookEffect: async () => (await sight(context, trace)).kind !== 'idle',
  });
  return settle(context, trace);
}

async function settle(context: ActionContext<EvacuateInput>, trace: EvacuationTrace): Promise<boolean> {
  let idle = 0;
  return pollUntil(context, context.options.pollIntervalMs, async () => {
    const seen = await sight(context, trace);
    await noteRecord(context, seen);
    idle = seen.kind === 'idle' ? idle + 1 : 0;
    if (idle >= idlePolls) throw moveFailure(context, 'Nova accepted the request but shows no evacuation');
    if (seen.kind === 'failed') throw moveFailure(context, seen.evidence);
    return seen.kind === 'applied' ? true : undefined;
  });
}

async function noteRecord(context: ActionContext<EvacuateInput>, { record }: EvacuationSight): Promise<void> {
  const known = resultOf(context, 'forward');
  if (!record || (known?.migration_id === record.id && known.destination === record.destHost)) return;
  const entry = { ...known, accepted: true, migration_id: record.id, destination: record.destHost };
  await context.journal.result({ forward: entry }, record.uuid);
  context.progress(0.1);
}

async function probe(context: ActionContext<EvacuateInput>): Promise<ProbeResult> {
  const trace = evacuationTraceOf(context);
  if (!trace) return 'not_started';
  const seen = await sight(context, trace);
  const wasAccepted = resultOf(context, 'forward')?.accepted === true;
  return probeResult(seen.kind, wasAccepted);
}
