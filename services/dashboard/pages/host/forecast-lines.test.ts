import { expect, test } from 'vitest';
import type { ExpectedHour } from '../../components/forecast-words.ts';
import { enPages } from '../../texts/en/pages.ts';
import { addTexts, text } from '../../texts/texts.ts';
import { forecastLines } from './forecast-lines.ts';

addTexts(enPages);

const hour = (low: number, expected: number, high: number) => ({ low, expected, high }) as ExpectedHour;

test('an expected load has the lines of its band, unless the band has no width', () => {
  const [high, expected, low] = (['high', 'expected', 'low'] as const).map((line) => text(`forecast.line.${line}`));
  const lines = (...hours: ExpectedHour[]) => forecastLines(hours).map(({ label, values }) => [label, ...values]);
  expect(lines(hour(20, 30, 40), hour(5, 5, 5))).toEqual([
    [high, 40, 5],
    [expected, 30, 5],
    [low, 20, 5],
  ]);
  expect(lines(hour(36, 36, 36), hour(5, 5, 5))).toEqual([[expected, 36, 5]]);
});
