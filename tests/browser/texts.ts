import { de } from '../../services/dashboard/texts/de/index.ts';
import { dePages } from '../../services/dashboard/texts/de/pages.ts';
import { en } from '../../services/dashboard/texts/en/index.ts';
import { enPages } from '../../services/dashboard/texts/en/pages.ts';
import { setCatalogue, type TextKey } from '../../services/dashboard/texts/texts.ts';

export { type PlainKey, text } from '../../services/dashboard/texts/texts.ts';

const english = { ...en, ...enPages };
const german = { ...de, ...dePages };

/** Makes `text` return English again after an earlier test of this worker. */
export function useEnglishTexts(): void {
  setCatalogue('en', english);
}

/**
 * A pattern of a text of the catalogue, in English or German and in each plural form.
 * @param values values of its gaps. A gap without one matches any words.
 */
export function like(key: TextKey, values: Readonly<Record<string, string | number>> = {}): RegExp {
  return new RegExp(
    formsOf(key)
      .map((form) => patternOf(form, values))
      .join('|'),
  );
}

/** A text of the German catalogue, in the form for several where it has a plural. */
export function inGerman(key: TextKey): string {
  return lastForm(german[key]);
}

/** Every text of every language, its plural forms one by one. */
export function allTexts(): string[] {
  return [english, german].flatMap((catalogue) => Object.values(catalogue).flatMap(formsIn));
}

useEnglishTexts();

function formsOf(key: TextKey): string[] {
  return [english[key], german[key]].flatMap(formsIn);
}

function formsIn(entry: string | Record<string, string>): string[] {
  return typeof entry === 'string' ? [entry] : Object.values(entry);
}

function lastForm(entry: string | Record<string, string>): string {
  return formsIn(entry).at(-1) ?? '';
}

function patternOf(form: string, values: Readonly<Record<string, string | number>>): string {
  return form
    .split(/(\{\w+\})/)
    .map((part) => {
      const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
      if (name === undefined) return escaped(part);
      const value = values[name];
      return value === undefined ? '.+?' : escaped(value.toLocaleString('en'));
    })
    .join('');
}

function escaped(words: string): string {
  return words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
