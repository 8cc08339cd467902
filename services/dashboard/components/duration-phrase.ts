import { text } from '../texts/texts.ts';
import { durationText } from './time.tsx';

interface Range {
  low: number;
  high: number;
}

/** Source of an estimate. */
interface Source {
  measured_actions: number;
  guessed_types: readonly string[];
}

/** An estimate in words, such as `30 s to 2 min (from 41 measured actions)`. The API provides the numbers. */
export function durationPhrase(range: Range, source: Source): string {
  return `${rangeText(range)} (${sourceText(source)})`;
}

/** A range in words, such as `30 s to 2 min`. One value if both ends read the same. */
export function rangeText({ low, high }: Range): string {
  const [from, to] = [durationText(roughly(low)), durationText(roughly(high))];
  return from === to ? from : text('duration.range', { from, to });
}

function sourceText({ measured_actions: count, guessed_types: guessed }: Source): string {
  if (count === 0) return text('duration.guess');
  const measured = text('duration.measured', { count });
  return guessed.length === 0 ? measured : text('duration.partly', { measured, types: guessed.join(', ') });
}

/** Estimates are rounded, not exact to the second. */
function roughly(seconds: number): number {
  if (seconds < 10) return Math.max(1, Math.round(seconds));
  if (seconds < 60) return Math.round(seconds / 5) * 5;
  return Math.round(seconds / 60) * 60;
}
