import { isOwn, processOf, variableOf } from './own-sections.ts';
import type { IniEntry } from './parse-ini.ts';
import { substitute } from './substitute.ts';
import { translateWatcher } from './watcher/translate.ts';

/** A variable that files set, and where. */
export interface FileVariable {
  name: string;
  value: string;
  /** Such as `/etc/vigil/vigil.conf:12`. */
  origin: string;
}

/** One variable for a setting that Watcher has in a section for each strategy. */
const perStrategy = 'VIGIL_STRATEGY_DATASOURCES';

/**
 * Content of files as environment variables: options of Watcher under our names, over them `[vigil]` and `[openstack]`,
 * over them the section of `process`, such as `[vigil-api]`. Within a layer the last one counts.
 */
export function variablesOf(entries: readonly IniEntry[], process: string | null): Map<string, FileVariable> {
  const variables = ofWatcher(entries);
  const own = entries.filter(isOwn);
  const layers = process === null ? [null] : [null, process];
  for (const entry of layers.flatMap((wanted) => own.filter((candidate) => processOf(candidate) === wanted))) {
    const name = variableOf(entry);
    variables.set(name, { name, value: substitute(entry, entries).value, origin: originOf(entry) });
  }
  return variables;
}

function ofWatcher(entries: readonly IniEntry[]): Map<string, FileVariable> {
  const variables = new Map<string, FileVariable>();
  for (const { variables: translated, entry } of translateWatcher(entries)) {
    for (const [name, value] of Object.entries(translated)) {
      const before = name === perStrategy ? variables.get(name) : undefined;
      variables.set(name, { name, value: before ? `${before.value},${value}` : value, origin: originOf(entry) });
    }
  }
  return variables;
}

function originOf({ file, line }: IniEntry): string {
  // Values of the environment have no lines.
  return line === 0 ? file : `${file}:${line}`;
}
