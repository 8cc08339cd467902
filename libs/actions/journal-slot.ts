import type { JsonObject } from '#libs/domain';
import type { JournalEntries } from '#libs/plugin-kit';

/**
 * Part of an attempt's journal. `forward` belongs to `execute`, `backward` to `revert`, `confirm` to the confirmation
 * of a cold migration or resize, `undo` to giving one up, `revert` to the beginning of an operator's rollback; an attempt
 * may hold several, so that a successor sees every outside change that was made.
 */
export type JournalSlot = 'forward' | 'backward' | 'forward_confirm' | 'backward_confirm' | 'undo' | 'abort' | 'revert';

/** Whatever has a journal. */
export interface Journalled {
  journal: { current(): JournalEntries };
}

/** What was written before the outside change of `slot`; undefined when none was meant. */
export function intentOf(context: Journalled, slot: JournalSlot): JsonObject | undefined {
  return objectAt(context.journal.current().intent, slot);
}

/** What was written after the reply; undefined when none was seen. */
export function resultOf(context: Journalled, slot: JournalSlot): JsonObject | undefined {
  return objectAt(context.journal.current().result, slot);
}

function objectAt(entry: JsonObject | null, slot: JournalSlot): JsonObject | undefined {
  const value = entry?.[slot];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}
