/**
 * A sentence of the server with its translation. Gaps (`{name}`) hold values, and `[s]` is an optional ending. Of a
 * translation with two forms, the first one is for a gap `count` of 1.
 */
export type SentenceForm = readonly [english: string, translation: string | readonly [one: string, other: string]];

/** Translates a sentence. Undefined if no form matches. */
export type SentenceReader = (sentence: string) => string | undefined;

/** Creates the translation of sentences by their forms. The first matching form counts, also for texts within gaps. */
export function sentenceReader(forms: readonly SentenceForm[], locale: string): SentenceReader {
  const compiled = forms.map(([english, translation]) => ({ pattern: patternOf(english), translation }));
  const known = new Map<string, string | undefined>();
  const read: SentenceReader = (sentence) => {
    if (!known.has(sentence)) known.set(sentence, translated(sentence));
    return known.get(sentence);
  };
  function translated(sentence: string): string | undefined {
    for (const { pattern, translation } of compiled) {
      const match = pattern.exec(sentence);
      if (match) return filled(translation, match.groups ?? {});
    }
    return undefined;
  }
  function filled(translation: SentenceForm[1], gaps: Readonly<Record<string, string>>): string {
    const form = typeof translation === 'string' ? translation : translation[gaps.count === '1' ? 0 : 1];
    return form.replaceAll(/\{(\w+)\}/g, (gap, name: string) => {
      const value = gaps[name];
      return value === undefined ? gap : (read(value) ?? numbersIn(value, locale));
    });
  }
  return read;
}

/** The literal parts of a form, in order. */
export function literalParts(english: string): string[] {
  return english.split(/\{\w+\}|\[s\]/).filter((part) => part.trim() !== '');
}

function patternOf(english: string): RegExp {
  const source = english
    .split(/(\{\w+\}|\[s\])/)
    .map((part) => {
      const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
      if (name !== undefined) return `(?<${name}>.+?)`;
      return part === '[s]' ? 's?' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    })
    .join('');
  return new RegExp(`^${source}$`, 's');
}

/** A number in the format of the page. Other values, such as names of hosts, stay. */
function numbersIn(value: string, locale: string): string {
  if (!/^\d+(\.\d+)?$/.test(value)) return value;
  return Number(value).toLocaleString(locale, { maximumFractionDigits: 6 });
}
