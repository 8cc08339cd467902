import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readUsedSheets } from './used-sheets.ts';

const sheets = readUsedSheets(import.meta.dirname, join(import.meta.dirname, '../../node_modules'));
const named = (name: string) => [...sheets].filter((sheet) => sheet.endsWith(`/${name}`));

it.each([
  ['base.css', 'the page itself'],
  ['card.css', 'a component that a page imports'],
  ['table.css', 'a component of the package of tables'],
  ['grid.css', 'a layout'],
  ['popover.css', 'a component that is loaded late'],
  ['text-input-group.css', 'a part of a component'],
])('includes %s: %s', (sheet) => {
  expect(named(sheet)).toHaveLength(1);
});

it.each(['calendar-month.css', 'data-list.css', 'jump-links.css'])(
  'leaves out %s: no page has this component',
  (sheet) => {
    expect(named(sheet)).toEqual([]);
  },
);
