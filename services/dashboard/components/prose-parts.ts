import { fullTime } from './time.tsx';

/** A part of a server text: plain, a whole uuid, a name of the API or one in backticks, or a time in ISO 8601. */
export interface ProsePart {
  kind: 'text' | 'uuid' | 'name' | 'time';
  text: string;
}

const uuidPattern = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const timePattern = String.raw`\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})`;
const namePattern = String.raw`(?<![\w/.-])(?:[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+)(?![\w/])`;
const quotedPattern = '`([^`]+)`';
const special = new RegExp(`(${uuidPattern})|(${timePattern})|${namePattern}|${quotedPattern}`, 'g');

/** Splits a text into its parts, in order. */
export function proseParts(text: string): ProsePart[] {
  const parts: ProsePart[] = [];
  let end = 0;
  for (const match of text.matchAll(special)) {
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) });
    parts.push({ kind: kindOf(match), text: match[3] ?? match[0] });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) });
  return parts;
}

function kindOf([, uuid, time]: RegExpMatchArray): ProsePart['kind'] {
  if (uuid !== undefined) return 'uuid';
  return time === undefined ? 'name' : 'time';
}

/** The text with short ids and readable times, for places that allow only plain text. Names keep their underscores. */
export function plainProse(text: string): string {
  return proseParts(text)
    .map(({ kind, text: part }) => (kind === 'uuid' ? part.slice(0, 8) : kind === 'time' ? fullTime(part) : part))
    .join('');
}
