import { phraseOf, wordsOf } from '#libs/client';

/** Named values of any kind, a line each. */
export function ValueList({ values }: { values: Record<string, unknown> }) {
  const entries = Object.entries(values);
  if (entries.length === 0) return <>none</>;
  return (
    <ul className="vigil-values">
      {entries.map(([name, value]) => (
        <li key={name}>
          {wordsOf(name)}: <strong>{valueText(value)}</strong>
        </li>
      ))}
    </ul>
  );
}

/** A value in words: lists with commas, objects as their parts. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(valueText).join(', ');
  if (typeof value !== 'object' || value === null) return phraseOf(String(value ?? '–')) || '–';
  return Object.entries(value)
    .map(([name, inner]) => `${phraseOf(name)}\u00a0= ${valueText(inner)}`)
    .join(', ');
}
