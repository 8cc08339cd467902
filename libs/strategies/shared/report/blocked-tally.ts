import type { BlockedCount, RejectedAlternative } from '#libs/domain';

/** Counts, by constraint, the things that could not be used. A thing counts once per constraint. */
export interface BlockedTally {
  add(constraint: string, name: string): void;
  /** Most frequent first, with at most ten examples each in the order of their arrival. */
  counts(): BlockedCount[];
}

const exampleLimit = 10;

/** An empty tally. */
export function createBlockedTally(): BlockedTally {
  const names = new Map<string, Set<string>>();
  return {
    add(constraint, name) {
      const known = names.get(constraint);
      if (known === undefined) names.set(constraint, new Set([name]));
      else known.add(name);
    },
    counts() {
      const list = [...names].map(([constraint, found]) => ({
        constraint,
        count: found.size,
        examples: [...found].slice(0, exampleLimit),
      }));
      return list.sort((a, b) => b.count - a.count || (a.constraint < b.constraint ? -1 : 1));
    },
  };
}

/** Collects alternatives, by row, that were not taken: one named example and the number of others per reason. */
export interface Rejections {
  add(because: string, row: number): void;
  list(): RejectedAlternative[];
}

/**
 * An empty collection. Reasons keep the order in which they first came. Only the examples are requested their names.
 */
export function createRejections(nameOf: (row: number) => string): Rejections {
  const found = new Map<string, RejectedAlternative>();
  return {
    add(because, row) {
      const known = found.get(because);
      if (known === undefined) found.set(because, { alternative: nameOf(row), because, others: 0 });
      else known.others++;
    },
    list: () => [...found.values()],
  };
}
