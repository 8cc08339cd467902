import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { canMatch, usedWidth } from './trim-styles.ts';

const dashboard = import.meta.dirname;

it.each([
  ['.pf-v6-c-button.pf-m-primary', true],
  [':root:where(.pf-v6-theme-dark)', true],
  [':root:where(.pf-v6-theme-dark.pf-v6-theme-felt)', false],
  [':root:not(.pf-v6-theme-glass)', true],
  [':where(.pf-v6-m-dir-rtl, [dir=rtl]) .pf-v6-c-nav', false],
  [':is(.pf-v6-c-page__main, .pf-v6-c-page__dock) .pf-v6-c-card', true],
  ['.pf-v6-c-page__dock-main', false],
  ['.pf-v6-c-toolbar__item.pf-m-visible-on-md', true],
  ['.pf-v6-c-toolbar__item.pf-m-visible-on-md-height', false],
  ['.pf-v6-c-toolbar__item.pf-m-visible-on-2xl', false],
  ['.pf-v6-l-grid__item.pf-m-6-col-on-xl', true],
  ['.pf-v6-c-table.pf-m-grid-md .pf-v6-c-table__tr', true],
  ['.pf-v6-c-table.pf-m-grid-lg .pf-v6-c-table__tr', false],
  ['.pf-v6-c-table.pf-m-tree-view-grid-md', false],
])('keeps a selector that the dashboard can match: %s %s', (selector, kept) => {
  expect(canMatch(selector)).toBe(kept);
});

it('keeps the classes of each width that a page names', () => {
  const widths = /\b(sm|md|lg|xl|2xl)'?: '/g;
  const sources = readdirSync(dashboard, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'));
  const named = sources.flatMap((name) =>
    [...readFileSync(join(dashboard, name), 'utf8').matchAll(widths)].map(([, width]) => width),
  );
  expect(new Set(named)).toEqual(new Set([usedWidth]));
});
