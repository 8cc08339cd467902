import { afterEach, beforeEach, expect, test } from 'vitest';
import { useEnglishTexts } from '../../../tests/browser/texts.ts';
import { de, deNames } from '../texts/de/index.ts';
import { dePages } from '../texts/de/pages.ts';
import { addTexts, language, setCatalogue, text } from '../texts/texts.ts';
import { cronWords } from './cron-words.ts';

beforeEach(useEnglishTexts);
afterEach(useEnglishTexts);

const either = (english: string, german: string) => (language() === 'de' ? german : english);
const weekly = (english: string, german: string, times: string) =>
  text('cron.weekly', { days: either(english, german), times });
const range = (english: [string, string], german: [string, string]) => {
  const [from, to] = language() === 'de' ? german : english;
  return text('cron.dayRange', { from, to });
};

test.each<[string, () => string]>([
  ['0 2 * * *', () => text('cron.daily', { times: '02:00' })],
  ['@daily', () => text('cron.daily', { times: '00:00' })],
  ['30 2,14 * * *', () => text('cron.daily', { times: either('02:30 and 14:30', '02:30 und 14:30') })],
  ['0 22 * * 6', () => weekly('Saturday', 'Samstag', '22:00')],
  ['0 22 * * 6,0 0', () => weekly('Sunday and Saturday', 'Sonntag und Samstag', '22:00')],
  [
    '5 1 * * mon-fri',
    () => text('cron.weekly', { days: range(['Monday', 'Friday'], ['Montag', 'Freitag']), times: '01:05' }),
  ],
  ['* * * * *', () => text('cron.minutes', { count: 1 })],
  ['*/30 * * * *', () => text('cron.minutes', { count: 30 })],
  ['2-59/5 * * * *', () => text('cron.minutesFrom', { count: 5, minute: 2 })],
  ['47 * * * *', () => text('cron.hours', { count: 1, minute: 47 })],
  ['15 */6 * * *', () => text('cron.hours', { count: 6, minute: 15 })],
  ['0 3 1,15 * *', () => text('cron.monthly', { days: either('1 and 15', '1. und 15.'), times: '03:00' })],
  ['@yearly', () => text('cron.yearly', { day: either('January 1', '1. Januar'), times: '00:00' })],
])('%s has words in both languages', (expression, words) => {
  expect(cronWords(expression)).toBe(words());
  setCatalogue('de', de, deNames);
  addTexts(dePages);
  expect(cronWords(expression)).toBe(words());
});

test('the hour and the minute keep two digits in a sentence', () => {
  expect(cronWords('5 7 * * *')).toContain('07:05');
});

test.each(['0 2 * * * 30', '*/7 * * * *', '0 0 13 * 5', '0 0 1 1-3 *', 'x', '', '0 1,2,3,4,5 * * *', '0 2 * * L'])(
  '%j has no short words',
  (expression) => expect(cronWords(expression)).toBeNull(),
);
