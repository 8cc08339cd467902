import { phraseOf } from '../texts/api-names.ts';
import { text } from '../texts/texts.ts';
import { roundedText } from './number-text.ts';
import { type NamedSpec, translatedTitle, valuePhrase, withUnit } from './parameter-texts.ts';

/** A value of a parameter or event in words: lists with commas, objects as their fields. */
export function valueWords(value: unknown, spec?: NamedSpec): string {
  if (Array.isArray(value))
    return value.length === 0
      ? text('common.none')
      : value.map((part) => valueWords(part, spec?.items ?? spec)).join(', ');
  if (typeof value === 'number') return withUnit(roundedText(value, 6), spec);
  if (typeof value === 'boolean') return text(value ? 'common.yes' : 'common.no');
  // Names of settings and patterns such as `os_type=windows` stay unchanged.
  if (typeof value === 'string' && /^[A-Z0-9]+(_[A-Z0-9]+)+$|[=*]/.test(value)) return value;
  if (typeof value !== 'object' || value === null) return valuePhrase(String(value ?? '–'), spec) || '–';
  const entries = Object.entries(value);
  if (entries.length === 0) return text('common.none');
  return entries
    .map(([name, inner]) => {
      const part = spec?.properties?.[name];
      return `${translatedTitle(name, part) ?? phraseOf(name)}\u00a0= ${valueWords(inner, part)}`;
    })
    .join(', ');
}
