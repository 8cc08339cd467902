/** Limit of parallel actions per name, by kind. Missing kinds have no limit. */
export type OccupancyLimits = Readonly<Record<string, number>>;

/** Names that the running actions of this process occupy, across plans. See `ActionPlugin.occupies`. */
export interface Occupancy {
  /** Takes all of `names` or none. Returns the function that frees them. */
  take(names: readonly string[]): (() => void) | null;
  /** Takes them regardless of the limits: for operations that already run. */
  force(names: readonly string[]): () => void;
  /** Calls `wake` whenever a name was freed. Returns the function that unsubscribes. */
  onFreed(wake: () => void): () => void;
}

/** @param limits current limits, by the part of a name before its first colon, such as `{ source: 2 }`. */
export function createOccupancy(limits: () => OccupancyLimits): Occupancy {
  const counts = new Map<string, number>();
  const listeners = new Set<() => void>();

  function limitOf(name: string): number {
    return limits()[name.slice(0, name.indexOf(':'))] ?? Number.POSITIVE_INFINITY;
  }

  function force(names: readonly string[]): () => void {
    if (names.length === 0) return () => undefined;
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    let isFreed = false;
    return () => {
      if (isFreed) return;
      isFreed = true;
      for (const name of names) free(name);
      for (const wake of [...listeners]) wake();
    };
  }

  function free(name: string): void {
    const left = (counts.get(name) ?? 1) - 1;
    if (left > 0) counts.set(name, left);
    else counts.delete(name);
  }

  return {
    take: (names) => (names.every((name) => (counts.get(name) ?? 0) < limitOf(name)) ? force(names) : null),
    force,
    onFreed(wake) {
      listeners.add(wake);
      return () => listeners.delete(wake);
    },
  };
}
