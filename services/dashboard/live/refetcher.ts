import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Reads a query again after changes. */
export interface Refetcher {
  /** Marks a change: a running read may have missed it. */
  changed(): void;
  /**
   * Reads once more, unless the last read includes all changes. Parts of a page with the same query share a read that
   * started after the last change.
   */
  read(): Promise<void>;
}

/**
 * Reads a query again.
 * @param isCurrent whether the last read includes all changes. Default: unknown, so it is read
 */
export function createRefetcher(
  queries: QueryClient,
  queryKey: QueryKey,
  isCurrent: () => boolean = () => false,
): Refetcher {
  let outdated: Promise<unknown> | undefined;
  const underWay = () => queries.getQueryCache().find({ queryKey })?.promise;
  const read = () => queries.refetchQueries({ queryKey, exact: true }, { cancelRefetch: false });
  return {
    changed() {
      outdated = underWay();
    },
    async read() {
      // A read joins the running one and ends with it. Only then another can start.
      if (outdated !== undefined && outdated === underWay()) await read();
      if (!isCurrent()) await read();
    },
  };
}
