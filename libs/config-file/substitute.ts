import { defaultSection, type IniEntry } from './parse-ini.ts';

/** A value with its references replaced. */
export interface Substituted {
  value: string;
  /** References that name nothing. They stay as they are. */
  unresolved: string[];
}

/** References deeper than this refer to themselves. */
const deepest = 10;

/**
 * Puts the values of other options in the place of `$name`, `${name}`, `$group.name` and `${group.name}`, as
 * oslo.config does: a name without a group is searched for in the section of `entry`, then in DEFAULT. `$$` and `\$`
 * stand for a dollar.
 */
export function substitute(entry: IniEntry, all: readonly IniEntry[], depth = 0): Substituted {
  const unresolved: string[] = [];
  const value = entry.value
    .replaceAll('\\$', '$$$$')
    .replaceAll(/\$(?:\$|\{([a-z_][\w.]*)\}|([a-z_][\w.]*))/gi, (text, braced?: string, bare?: string) => {
      const name = braced ?? bare;
      if (name === undefined) return '$';
      const target = depth < deepest ? referred(name, entry.section, all) : undefined;
      if (target === undefined) {
        unresolved.push(name);
        return text;
      }
      const inner = substitute(target, all, depth + 1);
      unresolved.push(...inner.unresolved);
      return inner.value;
    });
  return { value, unresolved };
}

function referred(name: string, section: string, all: readonly IniEntry[]): IniEntry | undefined {
  const dot = name.indexOf('.');
  const groups = dot < 0 ? [section, defaultSection] : [name.slice(0, dot)];
  const key = dot < 0 ? name : name.slice(dot + 1);
  for (const group of groups) {
    const found = all.findLast((entry) => entry.section === group && entry.key.replaceAll('-', '_') === key);
    if (found) return found;
  }
  return undefined;
}
