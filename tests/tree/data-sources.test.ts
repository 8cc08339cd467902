import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dataSourceNames, defaultDataSources } from '#libs/history';
import { dataSourcesEnv } from '#libs/history/connect';

const rows = readFileSync('docs/data-sources.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'));

test.each(dataSourceNames)('docs/data-sources.md has a row for %s', (name) => {
  expect(rows.some((row) => row.startsWith(`| \`${name}\` |`))).toBe(true);
});

test('every data source with a URL is used by default', () => {
  const withUrl = Object.keys(dataSourcesEnv).flatMap((key) => /^VIGIL_([A-Z0-9]+)_URL$/.exec(key)?.[1] ?? []);
  expect(withUrl.length).toBeGreaterThan(2);
  const unused = withUrl.filter((word) => !defaultDataSources.some((name) => name.startsWith(word.toLowerCase())));
  expect(unused).toEqual([]);
});
