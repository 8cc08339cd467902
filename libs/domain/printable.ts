/** Controls (C0, DEL, C1), breaks of lines and paragraphs, and marks that turn the direction of a text. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const shortForms: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * A text as a terminal and a log may show it: control characters become escapes as in JSON (`\n`, `\u001b`), so that a stored or
 * received text can neither forge a line nor move the cursor. JSON stays the same value.
 * @param kept characters that are shown as they are, such as `\n` where lines are meant; default none.
 */
export function printable(text: string, kept = ''): string {
  return text.replace(unprintable, (char) => (kept.includes(char) ? char : escapeOf(char)));
}

function escapeOf(char: string): string {
  return shortForms[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
