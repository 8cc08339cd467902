/**
 * The name of `known` that `given` was most likely meant to be: the one with the fewest changed, missing, extra or
 * swapped characters, when they are at most a third of its length (and always one). Null when none is near. Case does
 * not count.
 */
export function nearestName(given: string, known: Iterable<string>): string | null {
  let nearest: string | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const name of known) {
    const edits = editsBetween(given.slice(0, longestCompared).toLowerCase(), name.toLowerCase());
    if (edits < fewest && edits <= Math.max(1, Math.floor(name.length / 3))) [nearest, fewest] = [name, edits];
  }
  return nearest;
}

/**
 * The end of a reason for an unknown name: `; did you mean NAME?` with its nearest known name.
 * @param otherwise the end when none is near. Default empty.
 */
export function nearestHint(given: string, known: Iterable<string>, otherwise = ''): string {
  const nearest = nearestName(given, known);
  return nearest === null ? otherwise : `; did you mean ${nearest}?`;
}

/** Like {@link nearestHint}, as a sentence after others: ` Did you mean NAME?`, or empty. */
export function nearestQuestion(given: string, known: Iterable<string>): string {
  const nearest = nearestName(given, known);
  return nearest === null ? '' : ` Did you mean ${nearest}?`;
}

/** Longer texts are unlikely to be misspelt names. */
const longestCompared = 100;

/**
 * Restricted Damerau-Levenshtein distance, by rows (Boytsov, Indexing methods for approximate dictionary searching,
 * 2011).
 */
function editsBetween(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const changed = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const edits = Math.min(changed, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(swapped ? Math.min(edits, (before[column - 2] ?? 0) + 1) : edits);
    }
    [before, last] = [last, current];
  }
  return last[b.length] ?? 0;
}

/** Controls (C0, DEL, C1), breaks of lines and paragraphs, and marks that turn the direction of a text. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const shortForms: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Makes a text safe for terminals and logs: control characters become escapes as in JSON (`\n`, `\u001b`), so a stored
 * or received text cannot forge a line or move the cursor. JSON keeps its value.
 * @param kept characters that are shown as they are, such as `\n` where lines are meant. Default none.
 */
export function printable(text: string, kept = ''): string {
  return text.replace(unprintable, (char) => (kept.includes(char) ? char : escapeOf(char)));
}

/**
 * A number with its noun: `1 instance`, `2 instances`.
 * @param verb follows the noun: `counted(1, 'host', ['is', 'are'])` is `1 host is`. Default none.
 */
export function counted(count: number, noun: string, verb?: readonly [one: string, other: string]): string {
  const plural = count === 1 ? '' : 's';
  return `${count} ${noun}${plural}${verb === undefined ? '' : ` ${verb[count === 1 ? 0 : 1]}`}`;
}

/** Matches passwords of URLs in a text. */
const urlPassword = /(:\/\/[^:@/\s"\\]*:)[^@/\s"\\]+@/g;

/** The text without the passwords of the URLs in it, for logs and traces. */
export function withoutPasswords(text: string): string {
  return text.replace(urlPassword, '$1[hidden]@');
}

function escapeOf(char: string): string {
  return shortForms[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
