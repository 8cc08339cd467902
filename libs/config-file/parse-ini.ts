/** One assignment of a configuration file. */
export interface IniEntry {
  section: string;
  key: string;
  value: string;
  file: string;
  /** Line of the key, from 1. */
  line: number;
}

/** Content of a file, and the lines of it that are not assignments. */
export interface IniFile {
  entries: IniEntry[];
  faults: string[];
}

/** Options before the first section belong to this one. */
export const defaultSection = 'DEFAULT';

/**
 * Reads a file by the rules of oslo.config: sections, `key = value` or `key: value`, comments by `#` or `;` at the
 * start of a line, values that continue in indented lines, one pair of quotes around a value. A key may appear several
 * times. All values are returned, in order.
 */
export function parseIni(text: string, file: string): IniFile {
  const found: IniFile = { entries: [], faults: [] };
  const state: ReadingState = { section: defaultSection, open: null };
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const fault = readLine(raw.trimEnd(), { file, line: index + 1 }, state, found.entries);
    if (fault !== null) found.faults.push(`${file}:${index + 1}: ${fault}`);
  }
  for (const entry of found.entries) entry.value = unquoted(entry.value);
  return found;
}

interface ReadingState {
  section: string;
  /** Continues in an indented line. */
  open: IniEntry | null;
}

/** Takes one line. Returns its fault, or null. */
function readLine(
  line: string,
  place: Pick<IniEntry, 'file' | 'line'>,
  state: ReadingState,
  entries: IniEntry[],
): string | null {
  if (/^[#;]/.test(line)) return null;
  if (/^\s/.test(line)) {
    if (state.open === null) return 'an indented line continues nothing';
    state.open.value = `${state.open.value}\n${line.trim()}`;
    return null;
  }
  state.open = null;
  if (line === '') return null;
  if (line.startsWith('[')) {
    state.section = line.endsWith(']') ? line.slice(1, -1).trim() : '';
    return state.section === '' ? 'a section is [name]' : null;
  }
  state.open = assignmentOf(line, { section: state.section, ...place });
  if (state.open === null) return 'neither a section nor key = value';
  entries.push(state.open);
  return null;
}

function assignmentOf(line: string, place: Omit<IniEntry, 'key' | 'value'>): IniEntry | null {
  const at = line.search(/[:=]/);
  const key = line.slice(0, at).trim();
  return at < 1 || key === '' ? null : { ...place, key, value: line.slice(at + 1).trim() };
}

function unquoted(value: string): string {
  const [first] = value;
  return value.length > 1 && (first === '"' || first === "'") && value.endsWith(first) ? value.slice(1, -1) : value;
}
