import { expect, test } from 'vitest';
import { de } from './de/index.ts';
import { en } from './en/index.ts';
import { setCatalogue, text } from './texts.ts';

type Entry = string | Record<string, string>;
const gapsOf = (entry: Entry): string[] => {
  const forms = typeof entry === 'string' ? [entry] : Object.values(entry);
  return [...new Set(forms.flatMap((form) => [...form.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')))].sort();
};

test('every language has the same texts with the same gaps, and none is empty', () => {
  const [english, german] = [en, de] as Record<string, Entry>[];
  expect(Object.keys(german ?? {}).sort()).toEqual(Object.keys(english ?? {}).sort());
  for (const [key, entry] of Object.entries(english ?? {})) {
    expect([key, gapsOf(german?.[key] ?? '')]).toEqual([key, gapsOf(entry)]);
    expect([german?.[key], entry]).not.toContain('');
  }
});

test('values are put into the gaps of the text in the language of the page', () => {
  expect(text('session.domain', { domain: 1234 })).toBe('domain 1,234');
  setCatalogue('de', de);
  expect(text('session.domain', { domain: 1234 })).toBe('Domäne 1.234');
  setCatalogue('en', en);
});
