import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Files and folders all of whose texts are in the catalogue. Pages are added as they are moved; none is taken out. */
const moved = [
  'app.tsx',
  'pages.tsx',
  'shell',
  'pages/sign-in',
  'pages/audits',
  'pages/plans',
  'pages/templates',
  'pages/plan/plan-graph.tsx',
  'pages/plan/graph-minimap.tsx',
  'pages/plan/graph-step.tsx',
  'pages/plan/graph-toolbar.tsx',
  'components/bulk.tsx',
  'components/choice-filter.tsx',
  'components/confirm-button.tsx',
  'components/data-table.tsx',
  'components/out-of-date.tsx',
  'components/paged-table.tsx',
  'components/plan-progress.tsx',
  'components/states.tsx',
  'components/table-view.tsx',
];

const props =
  'title|titleText|label|aria-label|placeholder|done|what|toggleText|description|screenReaderText|dataLabel|text';
/** Ways in which a text gets into a component beside the catalogue. */
const bypasses = [
  new RegExp(`\\b(?:${props})="[^"]*[A-Za-z]{2}[^"]*"`, 'g'),
  new RegExp(`\\b(?:${props})=\\{[\`'][^\`'$]*[A-Za-z]{2}`, 'g'),
  new RegExp(`\\b(?:${props}): '[A-Z][a-z]`, 'g'),
  // Between tags, on a line of its own or not.
  />[^<>{}=;()]*[A-Za-z]{2}[^<>{}=;()]*<\//g,
  /^\s+[A-Z][a-z]*(?: [^{}<>=;()]*)?[.a-z]$/gm,
  /notices\.(?:success|failure)\(['`]/g,
];
/** Names that are the same in every language. */
const isName = (found: string) => /^>Vigil<\/$/.test(found);

function filesOf(path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path)).flatMap((name) => filesOf(join(path, name)));
}

test('no text of a component that was moved bypasses the catalogue', () => {
  const files = moved.flatMap(filesOf).filter((path) => path.endsWith('.tsx'));
  const found = files.flatMap((path) => {
    const source = readFileSync(join(root, path), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    return bypasses.flatMap((pattern) =>
      [...source.matchAll(pattern)].filter(([text]) => !isName(text)).map(([text]) => `${path}: ${text.trim()}`),
    );
  });
  expect(files.length).toBeGreaterThan(moved.length);
  expect(found).toEqual([]);
});
