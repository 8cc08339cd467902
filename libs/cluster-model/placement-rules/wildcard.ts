/**
 * Whether a text fits a pattern in which `*` stands for any characters and `?` for one. Case counts. Needs at most
 * pattern times text steps. A regular expression with several `*` may need hours for a name that does not fit.
 */
export function wildcardTest(pattern: string): (text: string) => boolean {
  if (!isWildcard(pattern)) return (text) => text === pattern;
  if (!pattern.includes('?')) return starsTest(pattern.split('*'));
  const parts = Array.from(pattern);
  return (text) => fits(parts, text);
}

/** Whether a pattern has wildcards. */
export function isWildcard(pattern: string): boolean {
  return pattern.includes('*') || pattern.includes('?');
}

/** Prefix of every text that fits the pattern. */
export function literalStart(pattern: string): string {
  return pattern.slice(0, pattern.search(/[*?]|$/));
}

/** Each piece between stars must follow the previous one. Its first occurrence leaves the most text for the others. */
function starsTest(pieces: readonly string[]): (text: string) => boolean {
  const [first, last] = [pieces[0] ?? '', pieces.at(-1) ?? ''];
  const between = pieces.slice(1, -1).filter((piece) => piece !== '');
  return (text) => {
    if (!text.startsWith(first)) return false;
    let at = first.length;
    for (const piece of between) {
      const found = text.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return text.length - at >= last.length && text.endsWith(last);
  };
}

function fits(parts: readonly string[], text: string): boolean {
  let [part, at] = [0, 0];
  // The last star so far, and the end of its text. Only this star can still cover more.
  let [star, starEnd] = [-1, 0];
  while (at < text.length) {
    const wanted = parts[part];
    if (wanted === '*') {
      star = part++;
      starEnd = at;
    } else if (wanted !== undefined && (wanted === '?' || text.startsWith(wanted, at))) {
      part++;
      at += wanted === '?' ? lengthAt(text, at) : wanted.length;
    } else if (star >= 0) {
      starEnd += lengthAt(text, starEnd);
      [part, at] = [star + 1, starEnd];
    } else {
      return false;
    }
  }
  while (parts[part] === '*') part++;
  return part === parts.length;
}

/** Code units of the character at a place. */
function lengthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xff_ff ? 2 : 1;
}
