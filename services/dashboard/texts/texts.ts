import { en } from './en/index.ts';
import type { enPages } from './en/pages.ts';
import type { LanguageCode } from './language-names.ts';
import type { SentenceReader } from './sentence-forms.ts';

/** A text for each plural form of a language. `other` is for all that have no separate one. */
type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** All texts in English, which define the keys and the gaps. */
type Frame = typeof en;
type Pages = typeof enPages;
type English = Frame & Pages;
/** A key of a text. */
export type TextKey = keyof English;
/** The texts in one language. */
export type Catalogue = { readonly [Key in TextKey]: English[Key] extends string ? string : Plural };
/** Texts that are loaded first. */
export type FrameTexts = Pick<Catalogue, keyof Frame>;
/** Texts that are loaded with the first page other than the overview. */
export type PageTexts = Pick<Catalogue, keyof Pages>;

type Gaps<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Gaps<Rest> : never;
type GapsOf<Key extends TextKey> = English[Key] extends string
  ? Gaps<English[Key]>
  : English[Key] extends { other: infer Other }
    ? Gaps<Other> | 'count'
    : never;
/** A key of a text without gaps. */
export type PlainKey = { [Key in TextKey]: [GapsOf<Key>] extends [never] ? Key : never }[TextKey];
/** Values for a text. Empty for texts without gaps. */
export type TextValues<Key extends TextKey, Value> = [GapsOf<Key>] extends [never] ? [] : [Record<GapsOf<Key>, Value>];

/** Words for API names, by name. Names without an entry appear in English words. */
export type ApiNames = Readonly<Record<string, string>>;

interface Current {
  code: LanguageCode;
  texts: Partial<Catalogue>;
  names: ApiNames;
  /** Translated descriptions by their English text. */
  descriptions?: ApiNames;
  /** Translates sentences of the server. */
  sentences?: SentenceReader;
  /** Created on first use. */
  plurals?: Intl.PluralRules;
}

let current: Current = { code: 'en', texts: en, names: {} };

/** Switches all texts to `texts`. Call before the first render. */
export function setCatalogue(code: LanguageCode, texts: FrameTexts & Partial<Catalogue>, names: ApiNames = {}): void {
  current = { code, texts, names };
}

/** Adds the texts of pages to those of the frame. Call before a page renders. */
export function addTexts(texts: PageTexts): void {
  current.texts = { ...current.texts, ...texts };
}

/** Sets the translations of descriptions, by their English text. */
export function setDescriptions(descriptions: ApiNames): void {
  current.descriptions = descriptions;
}

/** Sets the translation of sentences of the server. */
export function setSentences(sentences: SentenceReader): void {
  current.sentences = sentences;
}

/** A sentence of the server in the language of the page. Undefined without a translation, and on English pages. */
export function sentenceOf(english: string): string | undefined {
  return current.sentences?.(english);
}

/** A description of a goal, strategy or parameter in the language of the page. Those without a translation stay. */
export function descriptionOf(english: string): string {
  return current.descriptions?.[english] ?? english;
}

/** The translation of an API name. Undefined without one. */
export function nameOf(name: string): string | undefined {
  return Object.hasOwn(current.names, name) ? current.names[name] : undefined;
}

/** The language of the page. */
export function language(): LanguageCode {
  return current.code;
}

/**
 * A text in the language of the page, with values in its gaps (`{name}`). Numbers have the format of the language, and
 * `count` selects the plural form.
 */
export function text<Key extends TextKey>(key: Key, ...[values]: TextValues<Key, string | number>): string {
  const known = (values ?? {}) as Record<string, string | number>;
  return formOf(key, known.count).replaceAll(/\{(\w+)\}/g, (gap, name: string) => {
    const value = known[name];
    return typeof value === 'number' ? value.toLocaleString(current.code) : (value ?? gap);
  });
}

/** A label within a sentence: in lower case, except in German, where nouns keep their capital. */
export function inSentence(label: string): string {
  return current.code === 'de' ? label : label.toLowerCase();
}

/** The plural form of a text for a number, with its gaps. */
export function formOf(key: TextKey, count: unknown): string {
  const entry = current.texts[key] as string | Plural;
  if (typeof entry === 'string') return entry;
  current.plurals ??= new Intl.PluralRules(current.code);
  const rule = current.plurals.select(Number(count ?? 0));
  return entry[rule] ?? entry.other;
}
