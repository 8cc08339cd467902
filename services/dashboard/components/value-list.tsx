import { phraseOf, wordsOf } from '../texts/api-names.ts';
import { text } from '../texts/texts.ts';
import { roundedText } from './number-text.ts';

/** Named values of any kind, a line each. */
export function ValueList({ values }: { values: Record<string, unknown> }) {
  const entries = Object.entries(values);
  if (entries.length === 0) return <>{text('common.none')}</>;
  return (
    <ul className="vigil-values">
      {entries.map(([name, value]) => (
        <li key={name}>
          {wordsOf(name)}: <strong data-literal>{valueText(value)}</strong>
        </li>
      ))}
    </ul>
  );
}

/** A value in words: lists with commas, objects as their fields. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? text('common.none') : value.map(valueText).join(', ');
  if (typeof value === 'number') return roundedText(value, 6);
  // Names of settings stay unchanged.
  if (typeof value === 'string' && /^[A-Z0-9]+(_[A-Z0-9]+)+$/.test(value)) return value;
  if (typeof value !== 'object' || value === null) return phraseOf(String(value ?? '–')) || '–';
  const entries = Object.entries(value);
  if (entries.length === 0) return text('common.none');
  return entries.map(([name, inner]) => `${phraseOf(name)}\u00a0= ${valueText(inner)}`).join(', ');
}
