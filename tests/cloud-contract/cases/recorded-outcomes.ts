import { readFileSync, writeFileSync } from 'node:fs';
import type { CaseOutcome } from './contract-case.ts';

const file = new URL('./recorded-outcomes.json', import.meta.url);

/** Outcomes that a real OpenStack returned, by the title of the case. */
export interface RecordedOutcomes {
  /** Null for a case that was never recorded. */
  find(title: string): CaseOutcome | null;
  /** Keeps the outcome in place of the recorded one, and writes the file. */
  record(title: string, outcome: CaseOutcome): void;
}

/** Reads the committed outcomes. Throws when the file is unreadable. */
export function readRecordedOutcomes(): RecordedOutcomes {
  const outcomes: Record<string, CaseOutcome> = JSON.parse(readFileSync(file, 'utf8'));
  return {
    find: (title) => outcomes[title] ?? null,
    record(title, outcome) {
      outcomes[title] = outcome;
      const sorted = Object.entries(outcomes).sort(([a], [b]) => (a < b ? -1 : 1));
      const lines = sorted.map(([name, one]) => `  ${JSON.stringify(name)}: ${JSON.stringify(one)}`);
      writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
    },
  };
}
