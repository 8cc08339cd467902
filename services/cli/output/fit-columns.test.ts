import { expect, test } from 'vitest';
import { fitColumns, wrapText } from './fit-columns.ts';
import { printRows } from './print.ts';

const uuid = 'a6da6dc8-59e7-4cdb-915b-c9de65999241';

test('what fits stays as it is', () => {
  expect(fitColumns([['Name'], ['dummy']], 80)).toBeNull();
});

test('wide columns give way first, the first one never', () => {
  expect(
    fitColumns(
      [
        ['UUID', 'Name', 'Text'],
        [uuid, 'x'.repeat(10), 'y'.repeat(60)],
      ],
      80,
    ),
  ).toEqual([36, 10, 24]);
  expect(
    fitColumns(
      [
        ['UUID', 'Audit uuid', 'State'],
        [uuid, uuid, 'RECOMMENDED'],
      ],
      80,
    ),
  ).toEqual([36, 23, 11]);
});

test('text breaks between words, and within those that are too long', () => {
  expect(wrapText('one two three\n  indented', 8)).toBe('one two\nthree\n  indent\ned');
});

test('no line of a table is wider than the terminal, and nothing is lost', () => {
  let text = '';
  const context = { columns: 80, out: (part: string) => (text += part) } as never;
  printRows(
    context,
    false,
    [{ uuid, audit: uuid, state: 'RECOMMENDED', note: 'n'.repeat(90) }],
    [
      { title: 'UUID', field: 'uuid' },
      { title: 'Audit', field: 'audit' },
      { title: 'State', field: 'state' },
      { title: 'Note', field: 'note' },
    ],
  );
  const lines = text.split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(text).toContain(uuid);
  expect(text.split('n').length - 1).toBe(90);
});
