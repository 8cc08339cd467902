/**
 * A sentence of the server with its translation. Gaps (`{name}`) hold values, `[s]` is an optional ending, and
 * `[is|are]` is one of the words. Of a translation with two forms, the first one is for a gap `count` of 1. The gaps
 * `{clause}` and `{sentence}` hold a text that has a translation. `{sentence}` ends with a period. `{domain}` holds a
 * name without commas and parentheses, `{domains}` a list whose items may have translations: `a (zone b), c (zone d)`.
 */
export type SentenceForm = readonly [english: string, translation: string | readonly [one: string, other: string]];

/** Translates a sentence. Undefined if no form matches. */
export type SentenceReader = (sentence: string) => string | undefined;

interface CompiledForm {
  parts: readonly string[];
  pattern: RegExp;
  translation: SentenceForm[1];
}

/** Maximum number of remembered sentences. */
export const mostRemembered = 500;

const textGaps = ['clause', 'sentence'];
/** Patterns of gaps by their names. Default: any text. */
const gapPatterns: Readonly<Record<string, string>> = { sentence: '.+\\.', domain: '[^,()]+' };
const listSeparator = /(, | \(|\))/;

/** Creates the translation of sentences by their forms. The first matching form counts, also for texts within gaps. */
export function sentenceReader(forms: readonly SentenceForm[], locale: string): SentenceReader {
  const compiled = forms.map(
    ([english, translation]): CompiledForm => ({
      parts: literalParts(english),
      pattern: patternOf(english),
      translation,
    }),
  );
  function read(sentence: string): string | undefined {
    for (const { parts, pattern, translation } of compiled) {
      const match = parts.every((part) => sentence.includes(part)) ? pattern.exec(sentence) : null;
      const translated = match ? filled(translation, match.groups ?? {}) : undefined;
      if (translated !== undefined) return translated;
    }
    return undefined;
  }
  function filled(translation: SentenceForm[1], gaps: Readonly<Record<string, string>>): string | undefined {
    const values = new Map(
      Object.entries(gaps).map(([name, value]) => [
        name,
        read(value) ?? (name === 'domains' ? itemsOf(value) : undefined),
      ]),
    );
    if (textGaps.some((name) => values.has(name) && values.get(name) === undefined)) return undefined;
    const form = typeof translation === 'string' ? translation : translation[gaps.count === '1' ? 0 : 1];
    return form.replaceAll(/\{(\w+)\}/g, (gap, name: string) => {
      const value = gaps[name];
      return value === undefined ? gap : (values.get(name) ?? numbersIn(value, locale));
    });
  }
  const itemsOf = (list: string) =>
    list
      .split(listSeparator)
      .map((item) => read(item) ?? item)
      .join('');
  return remembering(read, mostRemembered);
}

/** Remembers the newest results, so that a page does not translate a sentence at each render. */
export function remembering(read: SentenceReader, most: number): SentenceReader {
  const known = new Map<string, string | undefined>();
  return (sentence) => {
    const translated = known.has(sentence) ? known.get(sentence) : read(sentence);
    known.delete(sentence);
    known.set(sentence, translated);
    if (known.size > most) known.delete(known.keys().next().value!);
    return translated;
  };
}

/** The literal parts of a form, in order. */
export function literalParts(english: string): string[] {
  return english.split(/\{\w+\}|\[[\w|]+\]/).filter((part) => part.trim() !== '');
}

function patternOf(english: string): RegExp {
  const source = english
    .split(/(\{\w+\}|\[[\w|]+\])/)
    .map((part) => {
      const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
      if (name !== undefined) return `(?<${name}>${gapPatterns[name] ?? '.+?'})`;
      if (/^\[.+\]$/.test(part)) return part.includes('|') ? `(?:${part.slice(1, -1)})` : `${part.slice(1, -1)}?`;
      return part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    })
    .join('');
  return new RegExp(`^${source}$`, 's');
}

/** A number, with its unit, in the format of the page. Other values, such as names of hosts, stay. */
function numbersIn(value: string, locale: string): string {
  const [, amount, unit = ''] = /^(-?\d+(?:\.\d+)?)( [^\d\s]+)?$/.exec(value) ?? [];
  if (amount === undefined) return value;
  return Number(amount).toLocaleString(locale, { maximumFractionDigits: 6 }) + unit;
}
