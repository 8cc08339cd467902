/** Digits after the point. */
export interface Digits {
  /** Default 0. */
  least?: number;
  most: number;
}

const known = new Map<string, unknown>();

/**
 * What `make` has made for the same key before: a format takes thirty times as long to make as to use, and a table or a
 * map writes thousands of texts.
 * @param key what it is and all that it is made of, such as its locale. No other use may have it.
 */
export function madeOnce<Made>(key: string, make: () => Made): Made {
  if (!known.has(key)) known.set(key, make());
  return known.get(key) as Made;
}

/** A number as a locale writes it. What is next to nothing below 0 is `0`, not `-0`. */
export function writtenNumber(value: number, locale: string, { least = 0, most }: Digits): string {
  const options = { minimumFractionDigits: least, maximumFractionDigits: most, signDisplay: 'negative' } as const;
  return madeOnce(`number:${locale} ${least} ${most}`, () => new Intl.NumberFormat(locale, options)).format(value);
}
