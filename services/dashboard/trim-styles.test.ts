import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { canMatch, trimClassMap, usedWidth } from './trim-styles.ts';
import { readUsedClasses } from './used-classes.ts';

const dashboard = import.meta.dirname;
const packages = join(dashboard, '../../node_modules');
const isUsed = readUsedClasses(dashboard, packages);

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

it.each([
  ['.pf-v6-c-button.pf-m-primary', true],
  ['.pf-v6-l-flex.pf-m-align-items-center', true],
  ['.pf-v6-l-flex.pf-m-align-content-space-around', false],
  ['.pf-v6-l-flex:not(.pf-m-align-content-space-around)', true],
  ['.pf-v6-l-grid__item.pf-m-6-col-on-xl', true],
  ['.pf-v6-c-table__th.pf-m-width-20', true],
  ['.pf-v6-c-table__th.pf-m-fit-content', true],
  ['.pf-v6-c-page__main-section.pf-m-sticky-top', true],
  ['.pf-v6-c-inline-edit__label', false],
])('keeps a selector whose classes a script sets: %s %s', (selector, kept) => {
  expect(canMatch(selector, isUsed)).toBe(kept);
});

it('removes from a map of classes those that no script sets', () => {
  const entry = (key: string, name: string) => `  "${key}": "${name}",\n`;
  const kept = entry('alignItemsCenter', 'pf-m-align-items-center');
  const removed = entry('alignContentSpaceAround', 'pf-m-align-content-space-around');
  expect(trimClassMap(`${removed}${kept}`, isUsed).trim()).toBe(kept.trim());
});

it('finds all keys of classes that scripts of PatternFly compose of parts', () => {
  const composedKeys = /modifiers\[[^\]`]*`(?!\$\{stylePrefix\})([^`]*)`|, styles, '([a-z]+-)'/g;
  const found = ['react-core', 'react-table'].flatMap((name) => {
    const folder = join(packages, '@patternfly', name, 'dist/esm');
    const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
    return scripts.flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(composedKeys)].map(([, key, prefix]) => key ?? prefix),
    );
  });
  expect([...new Set(found)].map((key) => key?.replaceAll(/\$\{\w+\}/g, '*')).sort()).toEqual([
    '*Col',
    '*ColOn*',
    '*Row',
    '*RowOn*',
    'all_*Col',
    'all_*ColOn*',
    'display-',
    'flex_*',
    'offset_*Col',
    'offset_*ColOn*',
    'sticky-',
    'width_*',
  ]);
});
