import type { InstanceSelector } from '#libs/domain';
import { instanceTest, metadataOf, type RuledInstance } from './instance-test.ts';
import { isWildcard, literalStart, wildcardTest } from './wildcard.ts';

/** Rows of instances by a value of one of their attributes. */
interface ValueRows {
  rows: Map<string, number[]>;
  /** In the order of code units, for patterns that start with letters. */
  sorted: string[];
}

const attributes = {
  uuid: ({ uuid }: RuledInstance) => uuid,
  project: ({ projectId }: RuledInstance) => projectId,
  name: ({ name }: RuledInstance) => name,
  flavor: ({ flavorName }: RuledInstance) => flavorName ?? '',
};

/**
 * Finds the rows of the instances that selectors match, ascending. Patterns of names, flavors and metadata are
 * tested once per distinct value instead of once per instance, because a cloud has many rules and many instances.
 */
export function createInstanceFinder(instances: readonly RuledInstance[]): (selector: InstanceSelector) => Int32Array {
  const grouped = new Map<string, ValueRows>();

  function rowsBy(attribute: string, read: (info: RuledInstance) => string | undefined): ValueRows {
    let found = grouped.get(attribute);
    if (found === undefined) {
      found = groupByValue(instances, read);
      grouped.set(attribute, found);
    }
    return found;
  }

  /** Rows that meet each of the conditions. */
  function* conditions({ uuids, names, metadata, projects, flavors }: InstanceSelector) {
    const known = (attribute: keyof typeof attributes) => rowsBy(attribute, attributes[attribute]);
    if (uuids?.length) yield exactRows(known('uuid'), uuids);
    if (projects?.length) yield exactRows(known('project'), projects);
    if (names?.length) yield fittingRows(known('name'), names);
    if (flavors?.length) yield fittingRows(known('flavor'), flavors);
    for (const [key, pattern] of Object.entries(metadata ?? {}))
      yield fittingRows(
        rowsBy(`metadata ${key}`, (info) => metadataOf(info, key)),
        [pattern],
      );
  }

  /** Rules often name the same instances. */
  const responses = new Map<string, Int32Array>();

  function find(selector: InstanceSelector): Int32Array {
    const [first, ...others] = [...conditions(selector)].sort((a, b) => a.length - b.length);
    if (first === undefined || others.length === 0) return first ?? new Int32Array();
    const isAbout = instanceTest(selector);
    return first.filter((row) => isAbout(instances[row] as RuledInstance));
  }

  return (selector) => {
    const key = JSON.stringify(selector);
    const rows = responses.get(key) ?? find(selector);
    responses.set(key, rows);
    return rows;
  };
}

function groupByValue(
  instances: readonly RuledInstance[],
  read: (info: RuledInstance) => string | undefined,
): ValueRows {
  const rows = new Map<string, number[]>();
  for (let row = 0; row < instances.length; row++) {
    const value = read(instances[row] as RuledInstance);
    if (value === undefined) continue;
    const own = rows.get(value);
    if (own === undefined) rows.set(value, [row]);
    else own.push(row);
  }
  return { rows, sorted: [...rows.keys()].sort() };
}

function exactRows({ rows }: ValueRows, values: readonly string[]): Int32Array {
  return rowsOf(rows, new Set(values));
}

function fittingRows({ rows, sorted }: ValueRows, patterns: readonly string[]): Int32Array {
  const values = new Set<string>();
  for (const pattern of patterns) {
    if (!isWildcard(pattern)) {
      values.add(pattern);
      continue;
    }
    const start = literalStart(pattern);
    const fits = wildcardTest(pattern);
    for (let at = firstFrom(sorted, start); sorted[at]?.startsWith(start); at++)
      if (fits(sorted[at] as string)) values.add(sorted[at] as string);
  }
  return rowsOf(rows, values);
}

/** Each instance has one value. */
function rowsOf(rows: ValueRows['rows'], values: ReadonlySet<string>): Int32Array {
  const found: number[] = [];
  for (const value of values) for (const row of rows.get(value) ?? []) found.push(row);
  return Int32Array.from(found).sort();
}

/** First place of the sorted values whose value is not below the text. */
function firstFrom(sorted: readonly string[], text: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as string) < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
