import type { ActionContext, ActionPlugin } from '#libs/plugin-kit';
import { abortMigrationsOf, actOnServer, placementReads } from '../access.ts';
import { abortMigration } from './abort.ts';
import { findLostTrace, type MigrateInput, migrateSchema } from './migration-trace.ts';
import { move } from './move.ts';
import { migratePreCondition, migrateRevertCondition } from './pre-condition.ts';
import { hasRoom } from './room.ts';
import { migrationOf } from './server-migration.ts';

/** Moves an instance to another host, live or cold, and checks its arrival by Nova's migration record. */
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
  access: async ({ input: { resource_id: id } }) => [actOnServer(id), abortMigrationsOf(id), ...placementReads],
  preCondition: migratePreCondition,
  reconsider: hasRoom,
  execute: (context) => move(context, 'forward', context.input.destination_node || null),
  postCondition: async () => {},
  probe: (context) => migrationOf(context, 'forward').probe(),
  waitFor: waitForMigration,
  findLost: findLostTrace,
  revert: (context) => move(context, 'backward', context.input.source_node),
  revertUse: (input) => ({ movesTo: input.source_node }),
  revertCondition: migrateRevertCondition,
  describeRevert: (input) => `Moves instance ${input.resource_name ?? input.resource_id} back to ${input.source_node}`,
  abort: (context) => abortMigration(context),
  abortRevert: async (context) =>
    migrationOf(context, 'backward').trace() === undefined || abortMigration(context, 'backward'),
};

function waitForMigration(context: ActionContext<MigrateInput>): Promise<boolean> {
  const migration = migrationOf(context, 'forward');
  const trace = migration.trace();
  return trace ? migration.settle(trace) : move(context, 'forward', context.input.destination_node || null);
}
