import type { StorageWhatIf, WhatIf } from '#libs/cluster-model';
import { hostAt, instanceAt, volumeAt } from '../shared/hosts/rows.ts';
import type { Priority } from './parameters.ts';

type Compare = (a: number, b: number) => number;

function byText(textOf: (row: number) => string): Compare {
  return (a, b) => (textOf(a) < textOf(b) ? -1 : Number(textOf(a) > textOf(b)));
}

/** Moves rows whose text is in the list to the front, in the order of the list. The others keep their order. */
function byList(list: readonly string[], textOf: (row: number) => string): Compare {
  const rank = new Map(list.toReversed().map((text, index) => [text, list.length - 1 - index]));
  const of = (row: number) => rank.get(textOf(row)) ?? list.length;
  return (a, b) => of(a) - of(b);
}

function largestFirst(column: Float64Array): Compare {
  return (a, b) => (column[b] as number) - (column[a] as number);
}

/** Sorts by each rule, the last first, so that the first rule has the highest weight. Sorting is stable. */
function sortBy(
  rows: readonly number[],
  priority: Priority,
  ruleOf: (key: keyof Priority) => Compare | null,
): number[] {
  const sorted = [...rows];
  for (const key of (Object.keys(priority) as (keyof Priority)[]).reverse()) {
    const compare = ruleOf(key);
    if (compare !== null) sorted.sort(compare);
  }
  return sorted;
}

/** Instances in the order of their migrations. */
export function rankInstances(model: WhatIf, rows: readonly number[], priority: Priority): number[] {
  const { snapshot } = model;
  const { vcpus, memory, disk } = snapshot.instances;
  const created = byText((row) => instanceAt(snapshot, row).created);
  const byField: Record<string, Compare> = {
    vcpu_num: largestFirst(vcpus),
    mem_size: largestFirst(memory),
    disk_size: largestFirst(disk),
    created_at: created,
  };
  return sortBy(rows, priority, (key) => {
    if (key === 'project') return byList(priority.project ?? [], (row) => instanceAt(snapshot, row).projectId);
    if (key === 'compute_node')
      return byList(priority.compute_node ?? [], (row) => hostAt(snapshot, model.hostOf[row] as number).hostname);
    return key === 'compute' ? (byField[priority.compute ?? ''] ?? null) : null;
  });
}

/**
 * Items that failed in an earlier plan come last. They are tried again without using the limit of waiting items.
 * Otherwise a few items that always fail would block the rest forever.
 */
export function failedLast(
  rows: readonly number[],
  failed: ReadonlySet<string>,
  uuidOf: (row: number) => string,
): number[] {
  const hasFailed = (row: number) => Number(failed.has(uuidOf(row)));
  return [...rows].sort((a, b) => hasFailed(a) - hasFailed(b));
}

/** Volumes in the order of their migrations. */
export function rankVolumes(storage: StorageWhatIf, rows: readonly number[], priority: Priority): number[] {
  const { snapshot } = storage;
  const byField: Record<string, Compare> = {
    size: (a, b) => volumeAt(snapshot, b).sizeGb - volumeAt(snapshot, a).sizeGb,
    created_at: byText((row) => volumeAt(snapshot, row).createdAt),
  };
  return sortBy(rows, priority, (key) => {
    if (key === 'project') return byList(priority.project ?? [], (row) => volumeAt(snapshot, row).projectId);
    if (key === 'storage_pool') return byList(priority.storage_pool ?? [], (row) => volumeAt(snapshot, row).host);
    return key === 'storage' ? (byField[priority.storage ?? ''] ?? null) : null;
  });
}
