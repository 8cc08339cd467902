import type { ActionContext, ActionPlugin } from '#libs/plugin-kit';
import { intentOf } from '../change/journal-slot.ts';
import { inputSchema } from '../schema.ts';

/** Parameters of `sleep`. `duration` in seconds, at least 0. Its fraction is dropped. */
export type SleepInput = { duration: number };

/** Longest single wait, so that the action reports progress. */
const sliceMs = 1000;

/** Waits. A successor after a crash waits only for the remaining time. */
export const sleep: ActionPlugin<SleepInput> = {
  kind: 'action',
  name: 'sleep',
  description: 'Wait for a given interval in seconds.',
  schema: inputSchema(['duration'], { duration: { type: 'number', minimum: 0 } }),
  revertible: 'impossible',
  abortable: true,
  timeoutMs: (input) => Math.floor(input.duration) * 1200 + 10_000,
  occupies: () => [],
  access: async () => [],
  preCondition: async () => ({ go: true }),
  async execute(context) {
    await context.journal.intent({ forward: { began_ms: context.clock.now() } });
    return sleepRest(context);
  },
  postCondition: async () => {},
  async probe(context) {
    if (!intentOf(context, 'forward')) return 'not_started';
    return leftMs(context) > 0 ? 'in_progress' : 'applied';
  },
  waitFor: sleepRest,
  revert: async () => true,
  abort: async () => true,
};

async function sleepRest(context: ActionContext<SleepInput>): Promise<boolean> {
  const total = Math.max(1, Math.floor(context.input.duration) * 1000);
  let left = leftMs(context);
  while (left > 0) {
    const slice = Math.min(left, sliceMs);
    await context.sleep(slice);
    left -= slice;
    context.progress(1 - left / total);
  }
  return true;
}

function leftMs(context: ActionContext<SleepInput>): number {
  const started = intentOf(context, 'forward')?.began_ms;
  const elapsed = typeof started === 'number' ? context.clock.now() - started : 0;
  return Math.floor(context.input.duration) * 1000 - Math.max(0, elapsed);
}
