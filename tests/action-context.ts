import { type ActionAttemptJournal, type JsonObject, silentLogger } from '#libs/domain';
import type { Cloud } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';

/** A context whose time passes only in `sleep`, with observations for the test. */
export interface TestActionContext<Input> extends ActionContext<Input> {
  /** Names of events in order: `intent`, `result`, `guard`. */
  trail: string[];
  /** The same context for a successor: same journal, new time budget. */
  again(): TestActionContext<Input>;
}

/**
 * Builds an action's context on a cloud, usually a fake one. `budgetMs` of waiting ends it with "timeout" (default
 * 900000).
 */
export function createTestActionContext<Input>(
  cloud: Cloud,
  input: Input,
  options: { journal?: ActionAttemptJournal; budgetMs?: number; guard?: () => Promise<void> } = {},
): TestActionContext<Input> {
  const budgetMs = options.budgetMs ?? 900_000;
  const journal = options.journal ?? emptyJournal();
  const ending = new AbortController();
  const trail: string[] = [];
  let now = 0;
  return {
    uuid: '4e2d7a53-98a6-4d45-8f51-1d6d7f6c0001',
    input,
    cloud,
    journal: {
      current: () => journal,
      async intent(entry: JsonObject) {
        trail.push('intent');
        journal.intent = { ...journal.intent, ...entry };
      },
      async result(entry: JsonObject, externalRef?: string) {
        trail.push('result');
        journal.result = { ...journal.result, ...entry };
        journal.externalRef = externalRef ?? journal.externalRef;
      },
    },
    async guard() {
      trail.push('guard');
      await options.guard?.();
    },
    signal: ending.signal,
    deadlineMs: budgetMs,
    clock: { now: () => now },
    async sleep(ms) {
      now += ms;
      if (now > budgetMs) ending.abort(new Error('timeout'));
      ending.signal.throwIfAborted();
    },
    progress: () => undefined,
    options: { pollIntervalMs: 5000, migrationTimeoutMs: 900_000 },
    log: silentLogger,
    trail,
    again: () => createTestActionContext(cloud, input, { ...options, journal }),
  };
}

function emptyJournal(): ActionAttemptJournal {
  return {
    id: 1,
    actionId: 1,
    attemptNo: 1,
    fence: 1,
    phase: 'begun',
    intent: {},
    result: null,
    externalRef: null,
    startedAt: new Date(0),
    endedAt: null,
  };
}
