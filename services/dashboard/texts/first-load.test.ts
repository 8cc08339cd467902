import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { enPages } from './en/pages.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Files that may be shown before the texts of pages are loaded. */
const shownFirst = [
  'main.tsx',
  'pages/overview/overview-page.tsx',
  'pages/audits/audits-page.tsx',
  'pages/plans/plans-page.tsx',
  'pages/sign-in/sign-in-page.tsx',
  'pages/sign-in/choose-project-page.tsx',
  // The overview loads it apart.
  'components/spread-chart.tsx',
];

/** A source and all that it imports, but for what is loaded later. */
function sourcesOf(path: string, known = new Set<string>()): Set<string> {
  if (known.has(path)) return known;
  known.add(path);
  const source = readFileSync(join(root, path), 'utf8');
  for (const [, imported = ''] of source.matchAll(/^import (?!type )[^;]*?'(\.[^']+\.tsx?)';$/gm))
    sourcesOf(join(dirname(path), imported), known);
  return known;
}

test('what is shown first has its texts in what is loaded first', () => {
  const sources = new Set(shownFirst.flatMap((path) => [...sourcesOf(path)]));
  const later = Object.keys(enPages);
  const found = [...sources]
    .filter((path) => !path.startsWith('texts/'))
    .flatMap((path) => {
      const source = readFileSync(join(root, path), 'utf8');
      const keys = [...source.matchAll(/'([\w-]+(?:\.[\w-]+)+)'/g)].map(([, key = '']) => key);
      const beginnings = [...source.matchAll(/ext\(`([\w.-]+\.)\$\{/g)].map(([, begin = '']) => begin);
      return later
        .filter((key) => keys.includes(key) || beginnings.some((begin) => key.startsWith(begin)))
        .map((key) => `${path}: ${key}`);
    });
  expect(sources.size).toBeGreaterThan(50);
  expect(found).toEqual([]);
});
