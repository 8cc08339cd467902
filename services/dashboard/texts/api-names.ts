import {
  indicatorText as indicatorIn,
  phraseOf as inPhrase,
  wordsOf as inWords,
  indicatorTitle as titleOf,
} from '#libs/client';
import { language, nameOf } from './texts.ts';

/** An API name within a sentence, in the language of the page. Names without a translation appear in English words. */
export function phraseOf(name: string): string {
  return nameOf(name) ?? inPhrase(name);
}

/** An API name as a label, in the language of the page. */
export function wordsOf(name: string): string {
  return nameOf(name) ?? inWords(name);
}

/** Title of an indicator, or of a quantity by its English title, in the language of the page. */
export function indicatorTitle(name: string): string {
  return nameOf(name) ?? titleOf(name);
}

/** An indicator's value in the format of the page's language, with the unit of its definition. */
export function indicatorText(name: string, value: number | null | undefined, unit?: string | null): string {
  return indicatorIn(name, value, unit, language());
}
