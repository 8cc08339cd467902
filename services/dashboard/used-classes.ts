import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Components, layouts, utilities and modifiers. All other classes count as used. */
const trimmed = /^pf-(?:m-|v6-[clu]-)/;
/** Keys that scripts of PatternFly compose: columns of grids, widths of cells, and those of `formatBreakpointMods`. */
const composed = /^(?:(?:all|offset)?\d+(?:Col|Row)|(?:width|flex)\d|(?:width|sticky|display)[A-Z])/;
const widthOfKey = /On(?:Sm|Md|Lg|Xl|2xl)$/;

/**
 * Returns whether a script of the dashboard or of PatternFly can set a class of PatternFly's style sheets. Scripts
 * have the key of a class, such as `alignItemsCenter` for `pf-m-align-items-center`, or the class itself.
 */
export function readUsedClasses(dashboard: string, packages: string): (name: string) => boolean {
  const components = ['react-core', 'react-table'].map((name) => join(packages, '@patternfly', name, 'dist/esm'));
  const words = new Set<string>();
  for (const file of [dashboard, ...components].flatMap(scriptsIn))
    for (const word of readFileSync(file, 'utf8').match(/[\w-]+/g) ?? [])
      words.add(word.startsWith('pf-') ? word : keyOf(word));
  return (name) => {
    if (!trimmed.test(name) || words.has(name)) return true;
    const key = keyOf(name.replace(trimmed, '')).replace(widthOfKey, '');
    return words.has(key) || composed.test(key);
  };
}

/** The key of a class as PatternFly's `toCamel` forms it, without its underscores. */
function keyOf(name: string): string {
  return name.replaceAll(/(?<=\w)[-_]+(\w)/g, (_all, letter: string) => letter.toUpperCase()).replaceAll(/[-_]/g, '');
}

/** All scripts below a folder except tests and texts, which set no classes. */
export function scriptsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /(?<!\.test|\.d)\.(?:js|tsx?)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\/(?:texts|generated|deprecated|next)\//.test(path));
}
