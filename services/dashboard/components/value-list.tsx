import { phraseOf } from '../texts/api-names.ts';
import { text } from '../texts/texts.ts';
import { fieldNumber, roundedText } from './number-text.ts';
import { type NamedSpec, parameterTitle, translatedTitle, valuePhrase } from './parameter-texts.ts';

/** Named values of any kind, a line each. Those of parameters have the titles of their schema. */
export function ValueList({ values, spec = {} }: { values: Record<string, unknown>; spec?: NamedSpec }) {
  const entries = Object.entries(values);
  if (entries.length === 0) return <>{text('common.none')}</>;
  return (
    <ul className="vigil-values">
      {entries.map(([name, value]) => (
        <li key={name}>
          {parameterTitle(name, spec.properties?.[name])}:{' '}
          <strong data-literal>
            {typeof value === 'number' ? fieldNumber(name, value) : valueText(value, spec.properties?.[name])}
          </strong>
        </li>
      ))}
    </ul>
  );
}

/** A value in words: lists with commas, objects as their fields. */
function valueText(value: unknown, spec?: NamedSpec): string {
  if (Array.isArray(value))
    return value.length === 0
      ? text('common.none')
      : value.map((part) => valueText(part, spec?.items ?? spec)).join(', ');
  if (typeof value === 'number') return roundedText(value, 6);
  // Names of settings stay unchanged.
  if (typeof value === 'string' && /^[A-Z0-9]+(_[A-Z0-9]+)+$/.test(value)) return value;
  if (typeof value !== 'object' || value === null) return valuePhrase(String(value ?? '–'), spec) || '–';
  const entries = Object.entries(value);
  if (entries.length === 0) return text('common.none');
  return entries
    .map(([name, inner]) => {
      const part = spec?.properties?.[name];
      return `${translatedTitle(name, part) ?? phraseOf(name)}\u00a0= ${valueText(inner, part)}`;
    })
    .join(', ');
}
