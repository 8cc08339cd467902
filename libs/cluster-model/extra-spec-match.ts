function numbers(compare: (have: number, want: number) => boolean): (have: string, want: string) => boolean {
  return (have, want) => {
    const isNumber = (text: string) => text.trim() !== '' && Number.isFinite(Number(text));
    return isNumber(have) && isNumber(want) && compare(Number(have), Number(want));
  };
}

const comparisons: Record<string, (have: string, want: string) => boolean> = {
  '=': numbers((have, want) => have >= want),
  '==': numbers((have, want) => have === want),
  '!=': numbers((have, want) => have !== want),
  '>=': numbers((have, want) => have >= want),
  '<=': numbers((have, want) => have <= want),
  's==': (have, want) => have === want,
  's!=': (have, want) => have !== want,
  's<': (have, want) => have < want,
  's<=': (have, want) => have <= want,
  's>': (have, want) => have > want,
  's>=': (have, want) => have >= want,
  '<in>': (have, want) => have.includes(want),
};

/**
 * Whether a value of aggregate metadata or of a capability satisfies the value of a flavor's extra spec, in Nova's
 * small language: a plain text means equality. A leading `=` (which means "at least"), `==`, `!=`, `>=`, `<=` compares
 * numbers, `s==` and its kin texts, `<in>` matches a part and `<all-in>` several, `<or> a <or> b` lists alternatives.
 * An operator compares with the word after it. Without one, and for texts where numbers are needed, nothing satisfies.
 */
export function matchesExtraSpec(have: string, wanted: string): boolean {
  const [operator = '', ...words] = wanted.trim().split(/\s+/);
  if (operator === '<or>') return words.some((word, index) => index % 2 === 0 && word === have);
  if (operator === '<all-in>') return words.length > 0 && words.every((word) => have.includes(word));
  const compare = comparisons[operator];
  if (compare === undefined) return have === wanted;
  const [want] = words;
  return want !== undefined && compare(have, want);
}
