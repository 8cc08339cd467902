import { en } from './en/index.ts';
import type { enPages } from './en/pages.ts';
import type { LanguageCode } from './language-names.ts';

/** A text for each of the plural forms that a language has. `other` is for all that have none of their own. */
type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** All texts in English, which decides about their names and what is put into them. */
type Frame = typeof en;
type Pages = typeof enPages;
type English = Frame & Pages;
/** A name of a text. */
export type TextKey = keyof English;
/** The texts in one language. */
export type Catalogue = { readonly [Key in TextKey]: English[Key] extends string ? string : Plural };
/** Those that are loaded first. */
export type FrameTexts = Pick<Catalogue, keyof Frame>;
/** Those that are loaded with the first page that is not the overview. */
export type PageTexts = Pick<Catalogue, keyof Pages>;

type Gaps<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Gaps<Rest> : never;
type GapsOf<Key extends TextKey> = English[Key] extends string
  ? Gaps<English[Key]>
  : English[Key] extends { other: infer Other }
    ? Gaps<Other> | 'count'
    : never;
/** A name of a text without gaps. */
export type PlainKey = { [Key in TextKey]: [GapsOf<Key>] extends [never] ? Key : never }[TextKey];
/** Values for a text. Empty for those without gaps. */
export type TextValues<Key extends TextKey, Value> = [GapsOf<Key>] extends [never] ? [] : [Record<GapsOf<Key>, Value>];

/** Words for names of the API, by name. What is not in it is put in English words. */
export type ApiNames = Readonly<Record<string, string>>;

interface Current {
  code: LanguageCode;
  texts: Partial<Catalogue>;
  names: ApiNames;
  /** Made when they are requested first. */
  plurals?: Intl.PluralRules;
}

let current: Current = { code: 'en', texts: en, names: {} };

/** From here on all texts are those of `texts`. Call before anything is drawn. */
export function setCatalogue(code: LanguageCode, texts: FrameTexts & Partial<Catalogue>, names: ApiNames = {}): void {
  current = { code, texts, names };
}

/** Adds the texts of pages to those of the frame. Call before a page is drawn. */
export function addTexts(texts: PageTexts): void {
  current.texts = { ...current.texts, ...texts };
}

/** The word of the page's language for a name of the API. */
export function nameOf(name: string): string | undefined {
  return Object.hasOwn(current.names, name) ? current.names[name] : undefined;
}

/** The language of the page. */
export function language(): LanguageCode {
  return current.code;
}

/**
 * A text in the language of the page, with values in its gaps (`{name}`). Numbers are written as the language does, and
 * `count` chooses the plural form.
 */
export function text<Key extends TextKey>(key: Key, ...[values]: TextValues<Key, string | number>): string {
  const known = (values ?? {}) as Record<string, string | number>;
  return formOf(key, known.count).replaceAll(/\{(\w+)\}/g, (gap, name: string) => {
    const value = known[name];
    return typeof value === 'number' ? value.toLocaleString(current.code) : (value ?? gap);
  });
}

/** A label within a sentence: without its capital, but in German, where nouns keep it. */
export function inSentence(label: string): string {
  return current.code === 'de' ? label : label.toLowerCase();
}

/** The form of a text that fits a number, with its gaps. */
export function formOf(key: TextKey, count: unknown): string {
  const entry = current.texts[key] as string | Plural;
  if (typeof entry === 'string') return entry;
  current.plurals ??= new Intl.PluralRules(current.code);
  const rule = current.plurals.select(Number(count ?? 0));
  return entry[rule] ?? entry.other;
}
