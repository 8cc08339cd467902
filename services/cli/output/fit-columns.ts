/** Frame of every cell: a space on each side and a line. */
const drawn = 3;
/** Minimum width of free text while a column can still be left out. */
const comfortable = 11;
/** Minimum width of every column except the first when no column can be left out. */
const narrowest = 6;

/** Properties of a column for narrow terminals. */
export interface ColumnNature {
  /** Free text: may be broken within words. Others, such as uuids and states, break between words only. */
  isText?: boolean;
  /** Its words are never broken, such as states. The line gets wider instead. */
  isWhole?: boolean;
  /** Minimum width in characters. Default: that of the longest word of a whole column, else 6. */
  atLeast?: number;
  /** Columns with the highest number are left out first, then those without one from the right. Never the first. */
  leaveOut?: number;
}

/** Which columns are shown, by position, and how wide their texts are. */
export interface Fitting {
  shown: number[];
  widths: number[];
}

/**
 * Makes a table fit: free text shrinks, then columns are omitted. Words are only broken when one or two columns are
 * left. The first column always stays complete, because users copy from it.
 * @param texts the cells, a list per row, the head first.
 * @param available width of the terminal, in characters.
 */
export function fitColumns(
  texts: readonly (readonly string[])[],
  available: number,
  natures: readonly ColumnNature[] = [],
): Fitting {
  const count = texts[0]?.length ?? 0;
  const columns = Array.from({ length: count }, (_, position) => needsOf(texts, position, natures[position] ?? {}));
  const shown = [...columns];
  const roomFor = () => available - shown.length * drawn - 1;
  while (sum(shown.map(({ least }) => least)) > roomFor() && shown.length > 2) shown.splice(leastNeeded(shown), 1);
  shrink(shown, roomFor());
  for (const column of shown.slice(1)) column.least = Math.min(column.least, column.floor);
  shrink(shown, roomFor());
  return { shown: shown.map(({ position }) => position), widths: shown.map(({ width }) => width) };
}

interface Column {
  position: number;
  width: number;
  /** Minimum width in characters. Below it, the column is left out or its words are broken. */
  least: number;
  /** Minimum width in characters when no column can be left out. */
  floor: number;
  leaveOut: number;
}

function needsOf(texts: readonly (readonly string[])[], position: number, nature: ColumnNature): Column {
  const cells = texts.map((row) => row[position] ?? '');
  const width = longest(cells, /\n/);
  const word = longest(cells, /\s+/);
  const floor = nature.atLeast ?? (nature.isWhole ? word : narrowest);
  const least = nature.isText ? Math.min(width, Math.max(comfortable, floor)) : word;
  return {
    position,
    width,
    least: position === 0 ? width : least,
    floor,
    leaveOut: nature.leaveOut ?? 0,
  };
}

/** Position of the least important column among those shown. */
function leastNeeded(shown: readonly Column[]): number {
  const later = shown.slice(1);
  const rank = Math.max(...later.map(({ leaveOut }) => leaveOut));
  return 1 + later.findLastIndex(({ leaveOut }) => leaveOut === rank);
}

/** Shrinks the widest shrinkable column until all of them fit. */
function shrink(columns: readonly Column[], room: number): void {
  let excess = sum(columns.map(({ width }) => width)) - room;
  while (excess > 0) {
    const giving = columns.filter(({ width, least }) => width > least).sort((a, b) => b.width - a.width)[0];
    if (giving === undefined) return;
    giving.width -= 1;
    excess -= 1;
  }
}

function longest(cells: readonly string[], separator: RegExp): number {
  return Math.max(0, ...cells.flatMap((cell) => cell.split(separator).map((part) => part.length)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Wraps the text at `width` characters, between words where possible. */
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
