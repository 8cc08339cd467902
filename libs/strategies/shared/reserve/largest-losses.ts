interface Loss {
  /** Position of the host. */
  at: number;
  places: number;
}

/** The largest losses of one size, in descending order. */
interface LossesOfSize {
  listed: Loss[];
  /** Upper bound of the losses that are not listed. 0: all are listed. */
  bound: number;
}

/** Losses kept beyond the needed ones, so that a smaller loss seldom requires a search of all hosts. */
const spare = 8;

/** The hosts of a failure domain with the largest losses of places, for every size. */
export interface LargestLosses {
  /** Must be called when the losses of a host have changed. */
  update(at: number): void;
  /** The largest losses of a size in descending order, with 0 for missing hosts. The host `without` is left out. */
  of(size: number, without?: number): number[];
}

/**
 * @param numbers of sizes, hosts, and returned losses
 * @param lossOf places that the failure of the host at a position would take, at least 0
 */
export function createLargestLosses(
  { sizes, hosts, returned }: { sizes: number; hosts: number; returned: number },
  lossOf: (size: number, at: number) => number,
): LargestLosses {
  const mostListed = returned + 1 + spare;

  function insert(losses: LossesOfSize, at: number, places: number): void {
    if (places <= losses.bound) return;
    const { listed } = losses;
    let index = listed.length;
    while (index > 0 && (listed[index - 1] as Loss).places < places) index--;
    listed.splice(index, 0, { at, places });
    if (listed.length > mostListed) losses.bound = (listed.pop() as Loss).places;
  }

  function searchHosts(size: number): LossesOfSize {
    const losses = { listed: [], bound: 0 };
    for (let at = 0; at < hosts; at++) insert(losses, at, lossOf(size, at));
    return losses;
  }

  const bySize = Array.from({ length: sizes }, (_, size) => searchHosts(size));

  /** Searches all hosts only when too few losses are listed. */
  function listedOf(size: number): Loss[] {
    const { listed, bound } = bySize[size] as LossesOfSize;
    if (bound === 0 || listed.length > returned) return listed;
    const found = searchHosts(size);
    bySize[size] = found;
    return found.listed;
  }

  return {
    update(at) {
      for (let size = 0; size < sizes; size++) {
        const losses = bySize[size] as LossesOfSize;
        const places = lossOf(size, at);
        const index = losses.listed.findIndex((loss) => loss.at === at);
        if (index >= 0) {
          if (losses.listed[index]?.places === places) continue;
          losses.listed.splice(index, 1);
        }
        insert(losses, at, places);
      }
    },
    of(size, without = -1) {
      const largest = new Array<number>(returned).fill(0);
      let count = 0;
      for (const { at, places } of listedOf(size)) {
        if (count === returned) break;
        if (at !== without) largest[count++] = places;
      }
      return largest;
    },
  };
}
