import { text } from '../texts/texts.ts';
import { fieldNumber } from './number-text.ts';
import { type NamedSpec, parameterTitle, withUnit } from './parameter-texts.ts';
import { valueWords } from './value-words.ts';

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
            {typeof value === 'number'
              ? withUnit(fieldNumber(name, value), spec.properties?.[name])
              : valueWords(value, spec.properties?.[name])}
          </strong>
        </li>
      ))}
    </ul>
  );
}
