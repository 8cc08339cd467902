/** A part of a server text: plain, a whole uuid, or an API name such as `host_cpu_usage`. */
export interface ProsePart {
  kind: 'text' | 'uuid' | 'name';
  text: string;
}

const special =
  /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|(?<![\w/.-])([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+)(?![\w/])/g;

/** Splits a text into its parts, in order. */
export function proseParts(text: string): ProsePart[] {
  const parts: ProsePart[] = [];
  let end = 0;
  for (const match of text.matchAll(special)) {
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) });
    parts.push({ kind: match[1] === undefined ? 'name' : 'uuid', text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) });
  return parts;
}

/** The text with short ids, for places that allow only plain text. Names keep their underscores. */
export function plainProse(text: string): string {
  return proseParts(text)
    .map(({ kind, text: part }) => (kind === 'uuid' ? part.slice(0, 8) : part))
    .join('');
}
