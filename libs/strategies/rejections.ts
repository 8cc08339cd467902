import type { RejectedAlternative } from '#libs/domain';

/** Collects alternatives that were not taken: one named example and the number of others per reason. */
export interface Rejections {
  add(because: string, alternative: string): void;
  list(): RejectedAlternative[];
}

/** An empty collection; reasons keep the order in which they first came. */
export function createRejections(): Rejections {
  const found = new Map<string, RejectedAlternative>();
  return {
    add(because, alternative) {
      const known = found.get(because);
      if (known === undefined) found.set(because, { alternative, because, others: 0 });
      else known.others++;
    },
    list: () => [...found.values()],
  };
}
