import { actOnServer } from '../access.ts';
import { createRemovalAction } from '../remove-instance.ts';

/** Watcher's `[nova] shelve_max_retries` times `shelve_interval`. */
const defaultBudgetMs = 15_000;
const shelvedStatuses = new Set(['SHELVED', 'SHELVED_OFFLOADED']);

/** Watcher's `shelve`: Nova stores an instance as an image, stops it and, after its offload time, frees its host. */
export const shelveInstance = createRemovalAction({
  name: 'shelve',
  description: 'Shelve a VM instance',
  task: 'shelving',
  endStates: new Set(['shelved', 'shelved_offloaded']),
  doneWhenMissing: false,
  skipReason: ({ uuid, status }) => (shelvedStatuses.has(status) ? `Instance ${uuid} is already shelved` : null),
  access: actOnServer,
  send: ({ cloud, input }) => cloud.compute.shelveServer(input.resource_id),
  budgetMs: ({ shelveTimeoutMs }) => shelveTimeoutMs ?? defaultBudgetMs,
});
