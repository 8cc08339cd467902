import type { ActionContext, ActionPlugin, ProbeResult } from '#libs/plugin-kit';
import { resultOf } from '../change/journal-slot.ts';
import { probeResult } from '../change/settle-move.ts';
import { abortMigration } from './abort.ts';
import { judge } from './judgement.ts';
import { findLostTrace, type MigrateInput, migrateSchema, observe, traceOf } from './migration-trace.ts';
import { move } from './move.ts';
import { migratePreCondition, migrateRevertCondition } from './pre-condition.ts';
import { hasRoom } from './room.ts';
import { settle } from './settle.ts';

/** Moves an instance to another host, live or cold, and proves by Nova's migration record that it arrived. */
export const migrate: ActionPlugin<MigrateInput> = {
  kind: 'action',
  name: 'migrate',
  description: 'Moving a VM instance from source_node to destination_node',
  schema: migrateSchema,
  revertible: 'best-effort',
  abortable: true,
  timeoutMs: (_input, options) => options.migrationTimeoutMs * 1.2,
  occupies: (input) => [
    `source:${input.source_node}`,
    ...(input.destination_node ? [`destination:${input.destination_node}`] : []),
    `resource:${input.resource_id}`,
  ],
  preCondition: migratePreCondition,
  reconsider: hasRoom,
  execute: (context) => move(context, 'forward', context.input.destination_node || null),
  postCondition: async () => {},
  probe: probeMigration,
  waitFor: waitForMigration,
  findLost: findLostTrace,
  revert: (context) => move(context, 'backward', context.input.source_node),
  revertUse: (input) => ({ movesTo: input.source_node }),
  revertCondition: migrateRevertCondition,
  describeRevert: (input) => `Moves instance ${input.resource_name ?? input.resource_id} back to ${input.source_node}`,
  abort: (context) => abortMigration(context),
  abortRevert: async (context) => traceOf(context, 'backward') === undefined || abortMigration(context, 'backward'),
};

function waitForMigration(context: ActionContext<MigrateInput>): Promise<boolean> {
  const trace = traceOf(context, 'forward');
  return trace ? settle(context, trace, 'forward') : move(context, 'forward', context.input.destination_node || null);
}

async function probeMigration(context: ActionContext<MigrateInput>): Promise<ProbeResult> {
  const trace = traceOf(context, 'forward');
  if (!trace) return 'not_started';
  const judgement = judge(await observe(context, trace), trace);
  const wasAccepted = resultOf(context, 'forward')?.accepted === true;
  return probeResult(judgement.kind, wasAccepted);
}
