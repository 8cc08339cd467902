import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deSentences } from './de/sentences.ts';
import { literalParts, sentenceReader } from './sentence-forms.ts';

const read = sentenceReader(deSentences, 'de');
const root = join(import.meta.dirname, '../../..');
const folders = ['libs/strategies', 'services/decision-engine', 'services/api', 'services/scheduler'];

/** Sources of the services. Texts over several lines are joined. */
function sources(): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.includes('.test.'))
      .map((path) => readFileSync(join(root, folder, path), 'utf8').replaceAll(/['`] \+\s+['`]/g, '')),
  );
}

test('a service writes every sentence that has a translation', () => {
  const texts = sources();
  // Units in front of a plural, such as `host` of `counted(…, 'host')`, are separate texts.
  const partsOf = (english: string) => literalParts(english).map((part) => part.trim());
  const unknown = deSentences.filter(
    ([english]) => !texts.some((source) => partsOf(english).every((part) => source.includes(part))),
  );
  expect(unknown.map(([english]) => english)).toEqual([]);
});

test('a translation has the gaps of its sentence, and every sentence has its own', () => {
  const gapsOf = (text: string) => new Set(text.match(/\{\w+\}/g) ?? []);
  for (const [english, translation] of deSentences)
    for (const form of [translation].flat()) expect(gapsOf(form), english).toEqual(gapsOf(english));
  const filled = deSentences.map(([english]) => english.replaceAll(/\{\w+\}/g, '2').replaceAll('[s]', 's'));
  expect(filled.filter((sentence) => read(sentence) === undefined)).toEqual([]);
  expect(new Set(filled.map(read)).size).toBe(deSentences.length);
});

test('values keep their place, numbers have the format of the language, and inner sentences are translated', () => {
  expect(read('the best plan gains 1.5 points of 100; the minimum gain is 2')).toBe(
    'Der beste Plan gewinnt 1,5 von 100 Punkten; der Mindestgewinn ist 2',
  );
  expect(read('nothing can be gained: no plan needs fewer than 1 host')).toMatch(/weniger als 1 Host aus$/);
  expect(read('nothing can be gained: no plan needs fewer than 1200 hosts')).toMatch(/weniger als 1\.200 Hosts aus$/);
  expect(read('before: the plan ran on an earlier release')).toBe('vorher: Der Plan lief unter einer früheren Version');
  expect(read('compute-1.5 is already in maintenance and has no instance')).toMatch(/^compute-1\.5 ist/);
  expect(
    read(
      'no host is overloaded, and no host can be emptied into the others completely, with the reserve for failures kept',
    ),
  ).toMatch(/geleert werden, wenn die Reserve für Ausfälle bleibt$/);
  expect(read('a sentence of a plugin')).toBeUndefined();
});
