import { expect, test } from 'vitest';
import { enPages } from '../texts/en/pages.ts';
import { addTexts, text } from '../texts/texts.ts';
import { promiseRange, promiseValue } from './promise-words.ts';

addTexts(enPages);

test('a range of a share is in percent, of a deviation in points, of a duration in time', () => {
  expect(promiseRange({ quantity: 'cpu_load_highest', low: 56, high: 66.5 })).toBe('56 to 66.5\u00a0%');
  const points = text('promise.points', { value: '5', count: 5 });
  expect(promiseRange({ quantity: 'memory_deviation', low: 3, high: 5 })).toBe(`3 to ${points}`);
  expect(promiseRange({ quantity: 'duration', low: 118, high: 243 })).toBe('2\u00a0min to 4\u00a0min');
});

test('an achieved deviation is in points', () => {
  expect(promiseValue('cpu_load_deviation', 4.04)).toBe(text('promise.points', { value: '4', count: 4 }));
  expect(promiseValue('cpu_load_deviation', 0.98)).toBe(text('promise.points', { value: '1', count: 1 }));
  expect(promiseValue('memory_deviation', 12.5)).toBe(text('promise.points', { value: '12.5', count: 12.5 }));
});

test('a value without a measurement is a dash', () => {
  expect(promiseValue('memory_highest', 71.26)).toBe('71.3\u00a0%');
  expect(promiseValue('duration', 42)).toBe('42\u00a0s');
  expect(promiseValue('duration', null)).toBe('–');
  expect(promiseValue('cpu_load_highest', null)).toBe('–');
});
