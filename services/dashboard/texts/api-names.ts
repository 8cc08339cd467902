import {
  indicatorText as indicatorIn,
  phraseOf as inPhrase,
  wordsOf as inWords,
  indicatorTitle as titleOf,
} from '#libs/client';
import { language, nameOf } from './texts.ts';

/**
 * A name of the API within a sentence, in the language of the page. One that has no word there is put in English ones.
 */
export function phraseOf(name: string): string {
  return nameOf(name) ?? inPhrase(name);
}

/** A name of the API as a label, in the language of the page. */
export function wordsOf(name: string): string {
  return nameOf(name) ?? inWords(name);
}

/** Name of an indicator, or of a quantity by its English title, in the language of the page. */
export function indicatorTitle(name: string): string {
  return nameOf(name) ?? titleOf(name);
}

/** An indicator's value as the language of the page writes it, with the unit of its definition. */
export function indicatorText(name: string, value: number | null | undefined, unit?: string | null): string {
  return indicatorIn(name, value, unit, language());
}
