import type { StorageWhatIf, WhatIf } from '#libs/cluster-model';
import { instanceFlag } from '#libs/cluster-model';
import type { BlockedTally } from '../blocked-tally.ts';
import { instanceAt, instanceLabel, volumeAt } from '../rows.ts';
import type { NodePair, PoolPair } from './parameters.ts';

/** Rows of the instances on the source nodes, node by node; those that the audit excludes are counted as blocked. */
export function instanceCandidates(
  model: WhatIf,
  pairs: readonly NodePair[],
  blocked: BlockedTally,
  notes: string[],
): number[] {
  const found: number[] = [];
  for (const name of new Set(pairs.map(({ src_node }) => src_node))) {
    const host = model.hostRow(name);
    if (host === undefined) notes.push(`there is no compute node ${name} in the scope of the audit`);
    else found.push(...[...model.instancesOn(host)].sort((a, b) => a - b));
  }
  return found.filter((row) => {
    const excluded = ((model.snapshot.instances.flags[row] as number) & instanceFlag.excluded) !== 0;
    if (excluded) blocked.add('instance-excluded', instanceLabel(instanceAt(model.snapshot, row)));
    return !excluded;
  });
}

/** Rows of the volumes in the source pools, of the source type where one is named; each once. */
export function volumeCandidates(storage: StorageWhatIf, pairs: readonly PoolPair[], notes: string[]): number[] {
  const typesOf = new Map<string, Set<string | null>>();
  for (const { src_pool: pool = '', src_type: type = null } of pairs) {
    if (storage.poolRow(pool) === undefined) notes.push(`there is no storage pool ${pool} in the scope of the audit`);
    typesOf.set(pool, (typesOf.get(pool) ?? new Set()).add(type));
  }
  return storage.snapshot.volumes.flatMap((_, row) => {
    const { host, type } = volumeAt(storage.snapshot, row);
    const types = typesOf.get(host);
    return types !== undefined && (types.has(null) || (type !== null && types.has(type))) ? row : [];
  });
}
