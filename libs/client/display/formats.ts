/** Digits after the point. */
export interface Digits {
  /** Default 0. */
  least?: number;
  most: number;
}

const known = new Map<string, unknown>();

/**
 * The cached result of `make` for the key. A format takes thirty times as long to make as to use, and a table or a map
 * writes thousands of texts.
 * @param key kind and all inputs of the format, such as its locale. It must be unique to its use.
 */
export function madeOnce<Made>(key: string, make: () => Made): Made {
  if (!known.has(key)) known.set(key, make());
  return known.get(key) as Made;
}

/** A number in the notation of a locale. Values that round to zero are `0`, not `-0`. */
export function writtenNumber(value: number, locale: string, { least = 0, most }: Digits): string {
  const options = { minimumFractionDigits: least, maximumFractionDigits: most, signDisplay: 'negative' } as const;
  return madeOnce(`number:${locale} ${least} ${most}`, () => new Intl.NumberFormat(locale, options)).format(value);
}
