import type { BlockedCount, RejectedAlternative } from '#libs/domain';

/** Counts blocked objects by constraint. An object counts once per constraint. */
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

/** Collects rejected alternatives by row: one named example and the number of others per reason. */
export interface Rejections {
  add(because: string, row: number): void;
  list(): RejectedAlternative[];
}

/**
 * Creates an empty collection. Reasons keep the order of their first appearance. Names are only requested for the
 * examples.
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
