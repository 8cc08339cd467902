import { deleteServer } from '../access.ts';
import { createRemovalAction } from '../remove-instance.ts';

/** Watcher's `[nova] delete_max_retries` times `delete_interval`. */
const defaultBudgetMs = 15_000;

/**
 * Watcher's `delete`: deletes an instance through Nova. An instance that disappears during the wait counts as deleted.
 */
export const deleteInstance = createRemovalAction({
  name: 'delete',
  description: 'Delete a VM instance',
  task: 'deleting',
  endStates: new Set(['soft-delete', 'deleted']),
  doneWhenMissing: true,
  skipReason: () => null,
  access: deleteServer,
  send: ({ cloud, input }) => cloud.compute.deleteServer(input.resource_id),
  budgetMs: ({ deleteTimeoutMs }) => deleteTimeoutMs ?? defaultBudgetMs,
});
