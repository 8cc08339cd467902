import { expect, test } from 'vitest';
import { text, useEnglishTexts } from '../../../../tests/browser/texts.ts';
import { summaryWords } from './summary-words.ts';

useEnglishTexts();
const names = new Map([['server_consolidation', 'Server Consolidation']]);

test('fields and their values are in words', () => {
  const summary = 'goal=server_consolidation, audit_type=ONESHOT, parameters={time_limit min_gain}, force=true';
  expect(summaryWords(summary, names)).toBe(
    'Goal: Server Consolidation · Audit type: ONESHOT · Parameters: Time limit, Min gain · Force: yes',
  );
  expect(summaryWords('question=lose, kind=host, names=[2]', names)).toBe(
    `${text('whatIf.question')}: ${text('whatIf.question.lose')} · Kind: host · Names: 2`,
  );
  expect(summaryWords('question=place, boot_from_volume=false, count=20', names)).toBe(
    `${text('whatIf.question')}: ${text('whatIf.question.place')} · ${text('whatIf.fromVolume')}: no · ${text('whatIf.placed')}: 20`,
  );
});

test('a changed state is a value, and parts of another form stay', () => {
  expect(summaryWords('replace /state CANCELLED, remove /interval, x…', names)).toBe(
    'State: CANCELLED · remove /interval · x…',
  );
});
