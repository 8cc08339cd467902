/** What a table draws around every cell: a space on each side and a line. */
const padding = 2;
const narrowest = 8;
const uuidLength = 36;

/**
 * Widths that let a table fit, with the padding of the cells. Wide columns give way first; those of a uuid only when all
 * others are as narrow as can be, and the first column never, since people copy from it.
 * @param texts the cells, a list per row, the head first.
 * @param available width of the terminal, in characters.
 * @returns null when the table fits as it is.
 */
export function fitColumns(texts: readonly (readonly string[])[], available: number): number[] | null {
  const count = texts[0]?.length ?? 0;
  const natural = Array.from({ length: count }, (_, column) => Math.max(...texts.map((row) => lengthOf(row[column]))));
  const room = available - count * (padding + 1) - 1;
  const widths = [...natural];
  const isUuid = (column: number) => natural[column] === uuidLength;
  const order = [(column: number) => column > 0 && !isUuid(column), (column: number) => column > 0];
  for (const mayShrink of order) shrink(widths, room, mayShrink);
  return widths.every((width, column) => width === natural[column]) ? null : widths.map((width) => width + padding);
}

/** Takes from the widest column until all of them fit. */
function shrink(widths: number[], room: number, mayShrink: (column: number) => boolean): void {
  while (widths.reduce((sum, width) => sum + width, 0) > room) {
    const candidates = widths.map((width, column) => ({ width, column })).filter(({ column }) => mayShrink(column));
    const widest = candidates.sort((a, b) => b.width - a.width)[0];
    if (widest === undefined || widest.width <= narrowest) return;
    widths[widest.column] = widest.width - 1;
  }
}

function lengthOf(text: string | undefined): number {
  return Math.max(0, ...(text ?? '').split('\n').map((line) => line.length));
}
