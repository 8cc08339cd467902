import { afterEach, expect, test } from 'vitest';
import { indicatorTitle, wordsOf } from './api-names.ts';
import { de, deNames } from './de/index.ts';
import { dePages } from './de/pages.ts';
import { en } from './en/index.ts';
import { enPages } from './en/pages.ts';
import { addTexts, setCatalogue, text } from './texts.ts';

type Entry = string | Record<string, string>;
const gapsOf = (entry: Entry): string[] => {
  const forms = typeof entry === 'string' ? [entry] : Object.values(entry);
  return [...new Set(forms.flatMap((form) => [...form.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')))].sort();
};

afterEach(() => setCatalogue('en', { ...en, ...enPages }));

test('every language has the same texts with the same gaps, and none is empty', () => {
  const english: Record<string, Entry> = { ...en, ...enPages };
  const german: Record<string, Entry> = { ...de, ...dePages };
  expect(Object.keys(german).sort()).toEqual(Object.keys(english).sort());
  expect(Object.keys(en).filter((key) => key in enPages)).toEqual([]);
  for (const [key, entry] of Object.entries(english)) {
    expect([key, gapsOf(german[key] ?? '')]).toEqual([key, gapsOf(entry)]);
    expect([german[key], entry]).not.toContain('');
  }
});

test('values are put into the gaps of the text in the language of the page, in its plural form', () => {
  expect(text('session.domain', { domain: 1234 })).toBe('domain 1,234');
  setCatalogue('de', de, deNames);
  addTexts(dePages);
  expect(text('session.domain', { domain: 1234 })).toBe('Domäne 1.234');
  const { one = '', other } = de['gain.hostsFreed'];
  expect([1, 2].map((count) => text('gain.hostsFreed', { count }))).toEqual([
    one.replace('{count}', '1'),
    other.replace('{count}', '2'),
  ]);
  expect(text('plan.failed', { count: 1 })).toBe(dePages['plan.failed'].one);
});

test('names of the API have words of the language, or English ones', () => {
  expect([wordsOf('instance_cpu_usage'), indicatorTitle('compute_nodes_count')]).toEqual([
    'Instance CPU usage',
    'Hosts considered',
  ]);
  setCatalogue('de', de, deNames);
  expect([wordsOf('instance_cpu_usage'), indicatorTitle('compute_nodes_count'), wordsOf('of_a_plugin')]).toEqual([
    'CPU-Last der Instanz',
    'Betrachtete Hosts',
    'Of a plugin',
  ]);
});
