import { defaultSection, type IniEntry } from './parse-ini.ts';

/** Section of our keys, of variables of the cloud, and of one kind of process, such as `vigil-api`. */
const ownSection = 'vigil';
const cloudSection = 'openstack';
const processPrefix = 'vigil-';

/** Whether an option is one of ours. All others are Watcher's. */
export function isOwn({ section, key }: IniEntry): boolean {
  if (section === ownSection || section === cloudSection || section.startsWith(processPrefix)) return true;
  return section === defaultSection && /^(VIGIL|OS)_[A-Z0-9_]+$/.test(key);
}

/** The process that an option is for. Null when it is for all. */
export function processOf({ section }: IniEntry): string | null {
  return section.startsWith(processPrefix) ? section.slice(processPrefix.length) : null;
}

/**
 * The environment variable that one of our options stands for: `database_url` of `[vigil]` for `VIGIL_DATABASE_URL`.
 */
export function variableOf({ section, key }: IniEntry): string {
  const name = key.replaceAll('-', '_').toUpperCase();
  if (/^(VIGIL|OS)_/.test(name)) return name;
  return section === cloudSection ? `OS_${name}` : `VIGIL_${name}`;
}

/** How a variable is written in a file: its section and its key. */
export function optionOf(variable: string): { section: string; key: string } {
  return variable.startsWith('OS_')
    ? { section: cloudSection, key: variable.slice('OS_'.length).toLowerCase() }
    : { section: ownSection, key: variable.slice('VIGIL_'.length).toLowerCase() };
}
