import { existsSync, statSync } from 'node:fs';
import {
  optionOf,
  readFiles,
  type Translated,
  translateWatcher,
  type Verdict,
  variablesOf,
  watcherVariables,
} from '#libs/config-file';
import { wrapWords } from './sample.ts';

/** Result of `vigil config import`. */
export interface ImportedFile {
  options: Translated[];
  /** The text of a `vigil.conf`. */
  text: string;
}

/** Columns of a terminal. */
const lineWidth = 80;

/** Verdicts in print order: those that require action come last, where they are visible. */
export const verdictTitles: Readonly<Record<Verdict, string>> = {
  'taken over': 'Taken over',
  'another name': 'Has another name',
  'not needed': 'Not needed',
  unknown: 'Unknown',
  'to do': 'To do',
};

/**
 * Reads Watcher's files and the options in `environment` (`OS_<GROUP>__<OPTION>`). Each file includes the folder of the
 * same name with the suffix `.d`, if present.
 * @param source for the first line of the text.
 * @throws ConfigurationError when they cannot be read
 */
export function importWatcherFile(
  paths: readonly string[],
  folders: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
): ImportedFile {
  const beside = paths.map((path) => `${path}.d`).filter((path) => existsSync(path) && statSync(path).isDirectory());
  const entries = [...readFiles({ files: paths, folders: [...beside, ...folders] }), ...watcherVariables(environment)];
  const variables = [...variablesOf(entries, null).values()];
  const lines = variables.map(({ name, value, origin }) => ({ ...optionOf(name), value, origin }));
  const sections = [...new Set(lines.map(({ section }) => section))].sort();
  const text = sections.map((section) => {
    const own = lines.filter((line) => line.section === section);
    return `[${section}]\n${own.map(({ key, value, origin }) => `# ${origin}\n${key} = ${escaped(value)}`).join('\n')}\n`;
  });
  const head = `# Made by vigil config import from ${paths.join(', ')}.\n`;
  return { options: translateWatcher(entries), text: [head, ...text].join('\n') };
}

/**
 * Lists every option by verdict, in lines of at most 80 columns. Options of a section that share a note form one group.
 * Values are omitted, because some are secrets.
 */
export function importReport(options: readonly Translated[]): string {
  return (Object.keys(verdictTitles) as Verdict[])
    .map((verdict) => [verdictTitles[verdict], options.filter((option) => option.verdict === verdict)] as const)
    .filter(([, found]) => found.length > 0)
    .map(([title, found]) => `${title} (${found.length})\n${together(found).map(linesOf).join('')}`)
    .join('\n');
}

/** Options in groups. Options without a separate target join the first group of their section and note. */
function together(options: readonly Translated[]): Translated[][] {
  const groups = new Map<string, Translated[]>();
  for (const option of options) {
    const { entry, variables, note } = option;
    const shared = Object.keys(variables).length === 0 ? note : entry.key;
    const id = `${entry.section}\n${shared}`;
    groups.set(id, [...(groups.get(id) ?? []), option]);
  }
  return [...groups.values()];
}

function linesOf(group: readonly Translated[]): string {
  const [{ entry, variables, note } = group[0]!] = group;
  const names = Object.keys(variables).map((name) => {
    const { section, key } = optionOf(name);
    return `[${section}] ${key}`;
  });
  const target = names.length > 0 ? ` -> ${names.join(', ')}` : '';
  const keys = group.map((option) => option.entry.key).join(', ');
  const option = indented(`[${entry.section}] ${keys}${target}`, '  ', '    ');
  return note === '' ? option : `${option}${indented(note, '      ', '      ')}`;
}

function indented(text: string, first: string, next: string): string {
  const lines = wrapWords(text, lineWidth - next.length);
  return lines.map((line, index) => `${index === 0 ? first : next}${line}\n`).join('');
}

/** A dollar sign in a value is not a reference. */
function escaped(value: string): string {
  return value.replaceAll('$', '$$$$').replaceAll('\n', '\n  ');
}
