import { afterEach, expect, test } from 'vitest';
import { useEnglishTexts } from '../../../tests/browser/texts.ts';
import { wordsOf } from '../texts/api-names.ts';
import { de, deNames } from '../texts/de/index.ts';
import { dePages } from '../texts/de/pages.ts';
import { addTexts, setCatalogue, text } from '../texts/texts.ts';
import { termTitle, termUnit } from './term-words.ts';

afterEach(useEnglishTexts);

test('terms and units of an objective are German on German pages, those of plugins have the words of their name', () => {
  setCatalogue('de', de, deNames);
  addTexts(dePages);
  const names = ['broken_rules', 'over_capacity', 'above_target', 'cpu_balance', 'hosts_in_use', 'licensed_hosts'];
  expect(names.filter((name) => termTitle(name) === wordsOf(name))).toEqual([]);
  expect([termTitle('of_a_plugin'), termUnit('%', 1)]).toEqual([wordsOf('of_a_plugin'), '%']);
  const counts = [1, 2];
  expect(counts.map((count) => termUnit('instances', count))).toEqual(
    counts.map((count) => text('term.unit.instances', { count })),
  );
});
