import type { JudgedPromise } from '#libs/client';
import { text } from '../texts/texts.ts';
import { rangeText } from './duration-phrase.ts';
import { roundedText } from './number-text.ts';
import { durationText } from './time.tsx';

/** A promised measure: the highest load or the deviation of one, or the duration of the plan. */
type Quantity = JudgedPromise['quantity'];

/** A promised range in words, such as `56 to 66 %`, `2 to 5 points` or `2 min to 4 min`. */
export function promiseRange({ quantity, low, high }: Pick<JudgedPromise, 'quantity' | 'low' | 'high'>): string {
  if (quantity === 'duration') return rangeText({ low, high });
  return text('duration.range', { from: roundedText(low, 1), to: valueText(quantity, high) });
}

/** An achieved value with its unit. `–` where there is none. */
export function promiseValue(quantity: Quantity, value: number | null): string {
  if (value === null) return '–';
  return quantity === 'duration' ? durationText(value) : valueText(quantity, value);
}

/** A share in percent, a deviation in points, with one decimal at most. */
function valueText(quantity: Quantity, value: number): string {
  const written = roundedText(value, 1);
  if (!quantity.endsWith('_deviation')) return `${written}\u00a0%`;
  return text('promise.points', { value: written, count: Math.round(value * 10) / 10 });
}
