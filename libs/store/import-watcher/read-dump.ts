import { ImportError } from '../errors.ts';

/** A row as text by column. Null is SQL's NULL. */
export type SourceRow = Record<string, string | null>;
/** Rows by name of the table. */
export type SourceTables = Map<string, SourceRow[]>;

const identifier = '[`"]?([A-Za-z_][A-Za-z0-9_$]*)[`"]?';
const createTable = new RegExp(`^CREATE TABLE (?:IF NOT EXISTS )?(?:[\`"]?\\w+[\`"]?\\.)?${identifier} \\(`, 'i');
const insertInto = new RegExp(
  `^INSERT (?:IGNORE )?INTO (?:[\`"]?\\w+[\`"]?\\.)?${identifier}\\s*(?:\\(([^)]*)\\)\\s*)?VALUES\\s*`,
  'i',
);
const copyFrom = new RegExp(`^COPY (?:[\`"]?\\w+[\`"]?\\.)?${identifier} \\(([^)]*)\\) FROM stdin;\\s*$`, 'i');
const notAColumn = /^(PRIMARY|UNIQUE|KEY|CONSTRAINT|INDEX|FULLTEXT|CHECK|FOREIGN|EXCLUDE)\b/i;

/**
 * Reads the rows out of the text of a dump by `mysqldump`, or by `pg_dump` in its plain format. Statements other than
 * CREATE TABLE, INSERT and COPY are ignored.
 * @throws ImportError, naming table and row, on values that cannot be read
 */
export function readDump(text: string): SourceTables {
  const dump: Dump = {
    text,
    tables: new Map(),
    columns: new Map(),
    isMysql: /^-- (MySQL|MariaDB) dump|^\/\*M?!/m.test(text),
  };
  for (let at = 0; at < text.length; ) at = readStatement(dump, at);
  return dump.tables;
}

interface Dump {
  text: string;
  tables: SourceTables;
  columns: Map<string, string[]>;
  isMysql: boolean;
}

/** Longest start of an INSERT, up to its values. */
const insertHeadLength = 4000;

/** Reads the statement that starts at line `at`. Returns the line where the next one may start. */
function readStatement({ text, tables, columns, isMysql }: Dump, at: number): number {
  const line = lineAt(text, at);
  const create = createTable.exec(line);
  if (create) return readColumns(text, at + line.length, namesFor(columns, create[1] ?? ''));
  const copy = copyFrom.exec(line);
  if (copy) {
    return readCopy(text, at + line.length + 1, { table: copy[1] ?? '', names: split(copy[2] ?? ''), tables });
  }
  const insert = /^INSERT /i.test(line) ? insertInto.exec(text.slice(at, at + insertHeadLength)) : null;
  if (!insert) return at + line.length + 1;
  const table = insert[1] ?? '';
  const names = insert[2] ? split(insert[2]) : (columns.get(table) ?? []);
  return readInsert(text, at + insert[0].length, { table, names, tables, isMysql });
}

function lineAt(text: string, from: number): string {
  const end = text.indexOf('\n', from);
  return text.slice(from, end < 0 ? text.length : end);
}

interface Target {
  table: string;
  names: string[];
  tables: SourceTables;
}

function namesFor(columns: Map<string, string[]>, table: string): string[] {
  const names: string[] = [];
  columns.set(table, names);
  return names;
}

const split = (list: string) => list.split(',').map((name) => name.trim().replaceAll(/[`"]/g, ''));

/** Adds the names of the columns to `names`. Returns where the statement ends. */
function readColumns(text: string, from: number, names: string[]): number {
  const end = text.indexOf('\n)', from);
  const stop = end < 0 ? text.length : end;
  for (const line of text.slice(from, stop).split('\n')) {
    const [, name] = new RegExp(`^${identifier} `).exec(line.trim()) ?? [];
    if (name && !notAColumn.test(line.trim())) names.push(name);
  }
  return stop + 1;
}

function readCopy(text: string, from: number, target: Target): number {
  let at = from;
  for (;;) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end < 0 ? text.length : end).replace(/\r$/, '');
    at = end < 0 ? text.length : end + 1;
    if (line === '\\.') return at;
    if (at >= text.length)
      throw new ImportError(target.table, countOf(target) + 1, 'the dump ends in the middle of it');
    addRow(
      target,
      line.split('\t').map((value) => (value === '\\N' ? null : resolveEscapes(value))),
    );
  }
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', '0': '\0', Z: '\x1a' };
const resolveEscapes = (value: string) => value.replaceAll(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter);

function readInsert(text: string, from: number, target: Target & { isMysql: boolean }): number {
  const fail = (reason: string) => new ImportError(target.table, countOf(target) + 1, reason);
  let at = from;
  const skipBlank = () => {
    while (/\s/.test(text[at] ?? '')) at += 1;
  };
  for (;;) {
    skipBlank();
    if (text[at] !== '(') throw fail(`"(" expected, not "${text.slice(at, at + 20)}"`);
    const values: (string | null)[] = [];
    do {
      at += 1;
      skipBlank();
      const value = readValue(text, at, target.isMysql);
      if (!value) throw fail('the dump ends in the middle of it');
      values.push(value.value);
      at = value.end;
      skipBlank();
    } while (text[at] === ',');
    if (text[at] !== ')') throw fail(`")" expected, not "${text.slice(at, at + 20)}"`);
    addRow(target, values);
    at += 1;
    skipBlank();
    if (text[at] === ';') return at + 1;
    if (text[at] !== ',') throw fail('"," or ";" expected after it');
    at += 1;
  }
}

const quoted = { mysql: /(?:_binary )?'((?:[^'\\]|\\.|'')*)'/sy, standard: /(E?)'((?:[^']|'')*)'/sy };
const plain = /[^,()\s;]+/y;

function readValue(text: string, at: number, isMysql: boolean): { value: string | null; end: number } | null {
  const pattern = isMysql ? quoted.mysql : quoted.standard;
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  if (found) {
    const inside = (isMysql ? found[1] : found[2]) ?? '';
    const value =
      isMysql || found[1] === 'E' ? resolveEscapes(inside.replaceAll("''", "'")) : inside.replaceAll("''", "'");
    return { value, end: pattern.lastIndex };
  }
  plain.lastIndex = at;
  const word = plain.exec(text)?.[0];
  if (!word || word.startsWith("'")) return null;
  return { value: /^null$/i.test(word) ? null : word, end: plain.lastIndex };
}

const countOf = ({ table, tables }: Target) => tables.get(table)?.length ?? 0;

function addRow(target: Target, values: (string | null)[]): void {
  const { table, names, tables } = target;
  if (values.length !== names.length) {
    const reason = `it has ${values.length} values, the table ${names.length} columns`;
    throw new ImportError(table, countOf(target) + 1, reason);
  }
  const rows = tables.get(table) ?? [];
  rows.push(Object.fromEntries(names.map((name, place) => [name, values[place] ?? null])));
  tables.set(table, rows);
}
