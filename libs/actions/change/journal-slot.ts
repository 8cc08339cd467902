import type { JsonObject } from '#libs/domain';
import type { ActionContext, JournalEntries } from '#libs/plugin-kit';

/** Key of an intent. The next request of its slot overwrites it. */
const silentSinceKey = 'silent_since_ms';

/**
 * Part of an attempt's journal. `forward` belongs to `execute`, `backward` to `revert`, `confirm` to the confirmation
 * of a cold migration or resize, `undo` to its cancellation, `revert` to the start of an operator's rollback. An
 * attempt may have several, so that a successor sees every change in the cloud.
 */
export type JournalSlot = 'forward' | 'backward' | 'forward_confirm' | 'backward_confirm' | 'undo' | 'abort' | 'revert';

/** An object with a journal. */
export interface Journalled {
  journal: { current(): JournalEntries };
}

/** Entry written before the change of `slot`. Undefined without an intent. */
export function intentOf(context: Journalled, slot: JournalSlot): JsonObject | undefined {
  return objectAt(context.journal.current().intent, slot);
}

/** Entry written after the response. Undefined without one. */
export function resultOf(context: Journalled, slot: JournalSlot): JsonObject | undefined {
  return objectAt(context.journal.current().result, slot);
}

/** Number of the last request that was journalled in `slot`, over all attempts. 0 without an intent. */
export function sendsOf(entries: JournalEntries, slot: string): number {
  const sends = objectAt(entries.intent, slot)?.sends;
  return typeof sends === 'number' ? sends : 0;
}

/**
 * Whether the last request of `slot` has an unknown outcome: it has no response, and no effect was seen since then. It
 * may still take effect.
 */
export function isOpen(entries: JournalEntries, slot: string): boolean {
  const sends = sendsOf(entries, slot);
  const result = objectAt(entries.result, slot);
  if (sends === 0 || !result) return sends > 0;
  return typeof result.sends === 'number' && result.sends < sends;
}

/** The slots of a journal whose last request has an unknown outcome. */
export function openSlots(entries: JournalEntries): string[] {
  return Object.keys(entries.intent).filter((slot) => isOpen(entries, slot));
}

/**
 * Time after which the last request of `slot` can no longer be in transit, in milliseconds of the run's clock. The
 * first run that waits for the effect journals it. If each run waited the whole time, an action that is taken over
 * repeatedly would never end.
 */
export async function silentSince(
  { journal, clock }: { journal: ActionContext['journal']; clock: { now(): number } },
  slot: string,
): Promise<number> {
  const intent = objectAt(journal.current().intent, slot);
  const known = intent?.[silentSinceKey];
  if (typeof known === 'number') return known;
  const now = clock.now();
  await journal.intent({ [slot]: { ...intent, [silentSinceKey]: now } });
  return now;
}

function objectAt(entry: JsonObject | null, slot: string): JsonObject | undefined {
  const value = entry?.[slot];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}
