import { roundedText } from '../../services/dashboard/components/number-text.ts';
import { text } from '../../tests/browser/texts.ts';

interface Range {
  low: number;
  high: number;
}

/** Seconds as the page writes them, such as `1 min 5 s`. */
export function durationWords(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 10) return `${roundedText(seconds, 1)} s`;
  const whole = Math.round(seconds);
  if (seconds < 60) return `${whole} s`;
  const [large, small, unit, part] =
    whole < 3600
      ? [Math.floor(whole / 60), whole % 60, 'min', 's']
      : [Math.floor(Math.round(whole / 60) / 60), Math.round(whole / 60) % 60, 'h', 'min'];
  return small > 0 ? `${large} ${unit} ${small} ${part}` : `${large} ${unit}`;
}

/** A range of estimated seconds. Estimates are rounded to 1 s, 5 s or minutes. */
export function rangeWords({ low, high }: Range): string {
  const rounded = (seconds: number) => {
    const step = seconds < 10 ? 1 : seconds < 60 ? 5 : 60;
    return durationWords(Math.max(1, Math.round(seconds / step) * step));
  };
  const [from, to] = [rounded(low), rounded(high)];
  return from === to ? from : text('duration.range', { from, to });
}

/** An estimate with its source. */
export function estimateWords(
  seconds: Range,
  source: { measured_actions: number; guessed_types: readonly string[] },
): string {
  const { measured_actions: count, guessed_types: types } = source;
  const measured = text('duration.measured', { count });
  const partly = types.length === 0 ? measured : text('duration.partly', { measured, types: types.join(', ') });
  return `${rangeWords(seconds)} (${count === 0 ? text('duration.guess') : partly})`;
}
