import { phraseOf, wordsOf } from '../texts/api-names.ts';
import { descriptionOf, language, nameOf } from '../texts/texts.ts';

/** Texts of a parameter in one language: its title, its description, and titles of its values. */
interface ParameterTexts {
  title?: string;
  description?: string;
  values?: Record<string, string>;
}

/** The part of a parameter's schema that names it and its parts. */
export interface NamedSpec {
  description?: string | undefined;
  'x-texts'?: Record<string, ParameterTexts>;
  /** Unit of its values, such as `s` or `%`. */
  'x-unit'?: string;
  properties?: Record<string, NamedSpec>;
  items?: NamedSpec;
}

/** Title of a parameter in the language of the page: that of its schema, else the words of its name. */
export function parameterTitle(name: string, spec: NamedSpec | undefined): string {
  return translatedTitle(name, spec) ?? wordsOf(name);
}

/** Description of a parameter in the language of the page. Empty without one. */
export function parameterDescription(spec: NamedSpec): string {
  return spec['x-texts']?.[language()]?.description ?? descriptionOf(spec.description ?? '');
}

/** Unit of a parameter's values in the language of the page. Undefined without one. */
export function parameterUnit(spec: NamedSpec | undefined): string | undefined {
  const unit = spec?.['x-unit'];
  return unit === undefined ? undefined : (nameOf(`unit.${unit}`) ?? unit);
}

/** A number of a parameter, written by the caller, with its unit on the same line. */
export function withUnit(written: string, spec: NamedSpec | undefined): string {
  const unit = parameterUnit(spec);
  return unit === undefined ? written : `${written}\u00a0${unit}`;
}

/** Titles along the path of a parameter in its schema, such as `Thresholds › Instance CPU usage`. */
export function parameterPathTitle(path: string, spec: NamedSpec): string {
  const titles: string[] = [];
  let group: NamedSpec | undefined = spec;
  for (const name of path.split('.')) {
    group = group?.properties?.[name];
    titles.push(parameterTitle(name, group));
  }
  return titles.join(' › ');
}

/** Title of a value that a parameter can have, as a label. */
export function valueTitle(value: string, spec: NamedSpec | undefined): string {
  return translatedValue(value, spec) ?? wordsOf(value);
}

/** Title of a value within a sentence. */
export function valuePhrase(value: string, spec: NamedSpec | undefined): string {
  return translatedValue(value, spec) ?? phraseOf(value);
}

/** The translation of a parameter's name, from its schema or the catalogue. Undefined without one. */
export function translatedTitle(name: string, spec: NamedSpec | undefined): string | undefined {
  return spec?.['x-texts']?.[language()]?.title ?? nameOf(name);
}

/** The translation of a value, from the schema of its parameter or the catalogue. Undefined without one. */
export function translatedValue(value: string, spec: NamedSpec | undefined): string | undefined {
  return spec?.['x-texts']?.[language()]?.values?.[value] ?? nameOf(value);
}
