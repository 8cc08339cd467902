import { en } from './en/index.ts';
import type { LanguageCode } from './language-names.ts';

/** A text for each of the plural forms that a language has; `other` is for all that have none of their own. */
type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** All texts in English, which decides about their names and what is put into them. */
type English = typeof en;
/** A name of a text. */
export type TextKey = keyof English;
/** The texts in one language. */
export type Catalogue = { readonly [Key in TextKey]: English[Key] extends string ? string : Plural };

type Gaps<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Gaps<Rest> : never;
type GapsOf<Key extends TextKey> = English[Key] extends string
  ? Gaps<English[Key]>
  : English[Key] extends { other: infer Other }
    ? Gaps<Other>
    : never;
/** A name of a text without gaps. */
export type PlainKey = { [Key in TextKey]: [GapsOf<Key>] extends [never] ? Key : never }[TextKey];
/** Values for a text; empty for those without gaps. */
export type TextValues<Key extends TextKey, Value> = [GapsOf<Key>] extends [never] ? [] : [Record<GapsOf<Key>, Value>];

let current: { code: LanguageCode; texts: Catalogue } = { code: 'en', texts: en };

/** From here on all texts are those of `texts`. Call before anything is drawn. */
export function setCatalogue(code: LanguageCode, texts: Catalogue): void {
  current = { code, texts };
}

/** The language of the page. */
export function language(): LanguageCode {
  return current.code;
}

/**
 * A text in the language of the page, with values in its gaps (`{name}`); numbers are written as the language does, and `count` chooses
 * the plural form.
 */
export function text<Key extends TextKey>(key: Key, ...[values]: TextValues<Key, string | number>): string {
  const known = (values ?? {}) as Record<string, string | number>;
  return formOf(key, known.count).replaceAll(/\{(\w+)\}/g, (gap, name: string) => {
    const value = known[name];
    return typeof value === 'number' ? value.toLocaleString(current.code) : (value ?? gap);
  });
}

/** The form of a text that fits a number, with its gaps. */
export function formOf(key: TextKey, count: unknown): string {
  const entry = current.texts[key] as string | Plural;
  if (typeof entry === 'string') return entry;
  const rule = new Intl.PluralRules(current.code).select(Number(count ?? 0));
  return entry[rule] ?? entry.other;
}
