import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Reads what a query reads anew, after changes. */
export interface ReadAgain {
  /** Something has changed: a read that is under way may have been answered before. */
  changed(): void;
  /** Reads once more. Parts of a page that show the same share a read that started after the last change. */
  read(): Promise<void>;
}

/** How a query is read again. */
export function createReadAgain(queries: QueryClient, queryKey: QueryKey): ReadAgain {
  let outdated: Promise<unknown> | undefined;
  const underWay = () => queries.getQueryCache().find({ queryKey })?.promise;
  const read = () => queries.refetchQueries({ queryKey, exact: true }, { cancelRefetch: false });
  return {
    changed() {
      outdated = underWay();
    },
    async read() {
      // What is under way is joined, so this one ends with it. Only then another can start.
      if (outdated !== undefined && outdated === underWay()) await read();
      await read();
    },
  };
}
