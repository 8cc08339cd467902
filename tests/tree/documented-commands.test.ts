import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeBlocks, commandRows, commandsToRun, documentedPages, rowOf } from './documented-commands.ts';

const rows = commandRows();
const blocks = documentedPages().flatMap((page) => codeBlocks(page));

test('every block of every page has an entry: run, tested elsewhere, or why it is not run', () => {
  const untold = blocks.filter(({ page, lines }) => rowOf(rows, page, lines[0] ?? '') === undefined);
  expect(untold.map(({ page, line, lines }) => `${page}:${line}: ${lines[0]}`)).toEqual([]);
  expect(blocks.length).toBeGreaterThan(50);
});

test('every row of the table names an existing block, and its treatment', () => {
  const lines = blocks.flatMap((block) => block.lines.map((line) => ({ page: block.page, line })));
  const gone = rows.filter(
    ({ page, begins }) => !lines.some((one) => one.page === page && one.line.startsWith(begins)),
  );
  expect(gone).toEqual([]);
  for (const { how, begins } of rows) {
    const [, path] = /^tested by `(\S+)`$/.exec(how) ?? [];
    if (path !== undefined) expect(existsSync(path), path).toBe(true);
    else expect(how, begins).toMatch(/^(run|no command|not run: .{10,})$/);
  }
  expect(blocks.flatMap((block) => commandsToRun(block, rows)).length).toBeGreaterThan(20);
});

test('blocks, words and comments are read as a shell reads them', () => {
  const page =
    'Text\n\n    vigil rules create "a b" -i \'x #\'   # why\n    vigil two \\\n      -p y\n    out\n\n```js\nno\n```\n\n- a\n    no\n';
  const [block, ...others] = codeBlocks('x.md', page);
  expect(others).toEqual([]);
  expect(commandsToRun(block!, [{ page: 'x.md', begins: 'vigil', how: 'run' }])).toEqual([
    ['rules', 'create', 'a b', '-i', 'x #'],
    ['two', '-p', 'y'],
  ]);
});
