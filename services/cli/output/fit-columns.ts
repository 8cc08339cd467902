/** What a table draws around every cell: a space on each side and a line. */
const drawn = 3;
/** Down to here a column gives way while others can; below it words such as RECOMMENDED are broken. */
const comfortable = 11;
const narrowest = 6;
const uuidLength = 36;

/**
 * Widths of the texts that let a table fit. Wide columns give way first; those of a uuid only when all
 * others are as narrow as can be, and the first column never, since people copy from it.
 * @param texts the cells, a list per row, the head first.
 * @param available width of the terminal, in characters.
 * @returns null when the table fits as it is.
 */
export function fitColumns(texts: readonly (readonly string[])[], available: number): number[] | null {
  const count = texts[0]?.length ?? 0;
  const natural = Array.from({ length: count }, (_, column) => Math.max(...texts.map((row) => lengthOf(row[column]))));
  const room = available - count * drawn - 1;
  const widths = [...natural];
  const isUuid = (column: number) => natural[column] === uuidLength;
  const isLater = (column: number) => column > 0;
  shrink(widths, { room, least: comfortable, mayShrink: (column) => isLater(column) && !isUuid(column) });
  shrink(widths, { room, least: comfortable, mayShrink: isLater });
  shrink(widths, { room, least: narrowest, mayShrink: isLater });
  return widths.every((width, column) => width === natural[column]) ? null : widths;
}

interface Shrinking {
  room: number;
  least: number;
  mayShrink: (column: number) => boolean;
}

/** Takes from the widest column until all of them fit. */
function shrink(widths: number[], { room, least, mayShrink }: Shrinking): void {
  while (widths.reduce((sum, width) => sum + width, 0) > room) {
    const candidates = widths.map((width, column) => ({ width, column })).filter(({ column }) => mayShrink(column));
    const widest = candidates.sort((a, b) => b.width - a.width)[0];
    if (widest === undefined || widest.width <= least) return;
    widths[widest.column] = widest.width - 1;
  }
}

function lengthOf(text: string | undefined): number {
  return Math.max(0, ...(text ?? '').split('\n').map((line) => line.length));
}

/** The text in lines of at most `width` characters, broken between words where that is possible. */
export function wrapText(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => wrapLine(line, width))
    .join('\n');
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > 0 && rest.slice(0, space).trim() !== '' ? space : width;
    lines.push(rest.slice(0, end));
    rest = end === space ? rest.slice(space + 1) : rest.slice(end);
  }
  return [...lines, rest];
}
