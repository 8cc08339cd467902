import { expect, test } from 'vitest';
import type { CliContext } from '../cli-context.ts';
import { column } from './columns.ts';
import { fitColumns, wrapText } from './fit-columns.ts';
import { printRow, printRows } from './print.ts';

const uuid = 'a6da6dc8-59e7-4cdb-915b-c9de65999241';

test('a table that fits is unchanged', () => {
  expect(fitColumns([['Name'], ['dummy']], 80)).toEqual({ shown: [0], widths: [5] });
});

test('free text gives way first, the first column never', () => {
  const texts = [
    ['UUID', 'Name', 'Text'],
    [uuid, 'x'.repeat(10), 'y'.repeat(60)],
  ];
  expect(fitColumns(texts, 80, [{}, {}, { isText: true }])).toEqual({ shown: [0, 1, 2], widths: [36, 10, 24] });
});

test('columns are left out before a uuid or a state is broken', () => {
  const texts = [
    ['UUID', 'Audit', 'State', 'Note'],
    [uuid, uuid, 'RECOMMENDED', 'a note of many words'],
  ];
  expect(fitColumns(texts, 80, [{}, { leaveOut: 1 }, {}, {}]).shown).toEqual([0, 2, 3]);
  expect(fitColumns(texts, 60, [{}, { leaveOut: 1 }, {}, {}])).toEqual({ shown: [0, 2], widths: [36, 11] });
  expect(fitColumns(texts, 50)).toEqual({ shown: [0, 1], widths: [36, 7] });
});

test.each([80, 60, 45, 20, 1])('states and identifiers are never broken, at %i columns', (width) => {
  const row = { uuid, state: 'RECOMMENDED', rollback_state: 'SUPERSEDED', name: 'n'.repeat(50), audit_uuid: uuid };
  const columns = Object.keys(row).map((field) => column(field));
  for (const print of [printRows, printRow] as const) {
    const { context, seen } = terminal(width);
    print(context, {}, print === printRows ? [row] : (row as never), columns);
    const words = new Set(seen.out.split(/[\s│]+/));
    const shown = columns.filter(({ title }) => seen.out.includes(title) && title !== 'Name');
    expect(shown.length).toBeGreaterThan(0);
    for (const { field } of shown) expect(words).toContain(row[field as keyof typeof row]);
  }
});

test('text breaks between words, and within those that are too long', () => {
  expect(wrapText('one two three\n  indented', 8)).toBe('one two\nthree\n  indent\ned');
});

function terminal(columns: number, now = Date.UTC(2026, 10, 22, 14)) {
  const seen = { out: '', err: '' };
  const context = {
    env: {},
    verbosity: { level: 'normal' },
    columns,
    now: () => now,
    out: (part: string) => {
      seen.out += part;
    },
    err: (part: string) => {
      seen.err += part;
    },
  } as unknown as CliContext;
  return { context, seen };
}

test('no line of a table is wider than the terminal, and hidden columns are reported', () => {
  const { context, seen } = terminal(80);
  const row = { uuid, audit_uuid: uuid, state: 'RECOMMENDED', reason: 'n'.repeat(90) };
  printRows(
    context,
    {},
    [row],
    [column('uuid'), column('audit_uuid', { leaveOut: 1 }), column('state'), column('reason', { isText: true })],
  );
  expect(Math.max(...seen.out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(seen.out).toContain(` ${uuid} `);
  expect(seen.out).toContain(' RECOMMENDED ');
  expect(seen.out.split('n').length - 1).toBe(91);
  expect(seen.err).toBe('+1 column (Audit): -c or --wide\n');
});

test('times are short in lists, and in full with how long ago where there is one thing', () => {
  const { context, seen } = terminal(80);
  const columns = [column('uuid'), column('updated_at'), column('created_at')];
  printRows(context, {}, [{ uuid: 'u', updated_at: '2026-11-22T13:57:00+00:00', created_at: null }], columns);
  expect(seen.out).toContain('│ 3 minutes ago │            │');
  printRow(context, {}, { uuid: 'u', updated_at: '2026-11-22T13:57:00+00:00' }, columns);
  expect(seen.out).toContain('2026-11-22T13:57:00+00:00 (3 minutes ago)');
});
