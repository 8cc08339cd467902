import { readdirSync, readFileSync } from 'node:fs';

/** A block of code of a page with a language (fences such as `js`, `yaml`, `mermaid`) or without one. */
export interface CodeBlock {
  page: string;
  /** Number of the first line, from 1. */
  line: number;
  lines: string[];
}

/** A row of `documented-commands.md`: the treatment of blocks or lines of a page with this start. */
export interface CommandRow {
  page: string;
  begins: string;
  how: string;
}

/** The table that covers every block. */
export const tablePath = 'tests/tree/documented-commands.md';

const shells = new Set(['', 'sh', 'bash', 'console', 'shell']);

/** Pages from which users copy commands. */
export function documentedPages(): string[] {
  const docs = readdirSync('docs').filter((name) => name.endsWith('.md'));
  return ['README.md', ...docs.map((name) => `docs/${name}`), 'deploy/README.md', 'CONTRIBUTING.md', 'SECURITY.md'];
}

/** Fenced and indented blocks of a page in Markdown. */
export function codeBlocks(page: string, text = readFileSync(page, 'utf8')): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: CodeBlock | null = null;
  let fence: string | null = null;
  let before = '';
  for (const [index, line] of text.split('\n').entries()) {
    const [, language] = /^```(\S*)/.exec(line) ?? [];
    if (language !== undefined) {
      if (open && (fence === null || shells.has(fence))) blocks.push(open);
      open = fence === null ? { page, line: index + 2, lines: [] } : null;
      fence = fence === null ? language : null;
    } else if (fence !== null) open?.lines.push(line);
    else if (/^ {4}/.test(line) && (open || before === '')) {
      open ??= { page, line: index + 1, lines: [] };
      open.lines.push(line.slice(4));
    } else if (line !== '' && open) {
      blocks.push(open);
      open = null;
    }
    before = line;
  }
  if (open) blocks.push(open);
  return blocks.filter(({ lines }) => lines.length > 0);
}

/** The rows of the table. */
export function commandRows(text = readFileSync(tablePath, 'utf8')): CommandRow[] {
  return [...text.matchAll(/^\| (\S+\.md) \| `(.+?)` \| (.+) \|$/gm)].map(([, page = '', begins = '', how = '']) => ({
    page,
    begins: begins.replaceAll('\\|', '|'),
    how,
  }));
}

/** The row of a block, or of one of its lines. The longest match wins. */
export function rowOf(rows: readonly CommandRow[], page: string, line: string): CommandRow | undefined {
  const fitting = rows.filter((row) => row.page === page && line.startsWith(row.begins));
  return fitting.sort((one, other) => other.begins.length - one.begins.length)[0];
}

/** The commands of a block that are run, as words. `fill` replaces placeholders. */
export function commandsToRun(block: CodeBlock, rows: readonly CommandRow[]): string[][] {
  const ofBlock = rowOf(rows, block.page, block.lines[0] ?? '');
  const whole = block.lines
    .join('\n')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n');
  return whole
    .filter((line) => /^(vigil|node dist\/services\/vigil\.js) /.test(line))
    .filter((line) => (rowOf(rows, block.page, line) ?? ofBlock)?.how === 'run')
    .map((line) => wordsOf(line.replace(/^(vigil|node dist\/services\/vigil\.js) /, '')));
}

/** Words of a line as in a shell, without a comment at its end. */
function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/\s*("([^"]*)"|'([^']*)'|(#.*)|[^\s"']+)/g)];
  return words.flatMap(([, word = '', double, single, comment]) => (comment ? [] : [double ?? single ?? word]));
}
