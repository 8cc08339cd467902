const comparisons: Record<string, (have: string, want: string) => boolean> = {
  '=': (have, want) => Number(have) >= Number(want),
  '==': (have, want) => Number(have) === Number(want),
  '!=': (have, want) => Number(have) !== Number(want),
  '>=': (have, want) => Number(have) >= Number(want),
  '<=': (have, want) => Number(have) <= Number(want),
  's==': (have, want) => have === want,
  's!=': (have, want) => have !== want,
  's<': (have, want) => have < want,
  's<=': (have, want) => have <= want,
  's>': (have, want) => have > want,
  's>=': (have, want) => have >= want,
  '<in>': (have, want) => have.includes(want),
};

/**
 * Whether a value of aggregate metadata satisfies the value of a flavor's extra spec, in Nova's small language: a plain
 * text means equality. A leading `=` (which means "at least"), `==`, `!=`, `>=`, `<=` compares numbers, `s==` and its
 * kin texts, `<in>` matches a part, `<or> a <or> b` lists alternatives.
 */
export function matchesExtraSpec(have: string, wanted: string): boolean {
  const words = wanted.trim().split(/\s+/);
  const operator = words[0] ?? '';
  if (operator === '<or>') {
    const alternatives = words.filter((_, index) => index % 2 === 1);
    return alternatives.includes(have);
  }
  const compare = comparisons[operator];
  if (compare === undefined || words.length < 2) return have === wanted;
  return compare(have, words.slice(1).join(' '));
}
