/** What something has or uses: vcpus, memory in MiB, disk in GiB. */
export interface Amounts {
  vcpus: number;
  memory: number;
  disk: number;
}

/**
 * Watcher's score: mean of the used shares of vcpus, memory and disk; something that has no disk (or memory) uses none of
 * it. The strategy fills in the CPU alone, so its scores go from 0 to 1/3.
 */
export function scoreOf(has: Amounts, uses: Amounts): number {
  const share = (used: number, total: number) => (total === 0 ? 0 : used / total);
  return (share(uses.vcpus, has.vcpus) + share(uses.memory, has.memory) + share(uses.disk, has.disk)) / 3;
}
