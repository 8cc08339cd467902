import { type ComputeSnapshot, createWhatIf } from '#libs/cluster-model';
import { counted, InvalidInputError, whatIfLimits } from '#libs/domain';
import { findHosts } from '../find-hosts.ts';
import { acceptingHosts, comparePlaces, compareWorlds, measureBefore } from '../report/compare-worlds.ts';
import type { WhatIfQuestion, WhatIfResult } from '../report/what-if.ts';
import type { Steps } from '../steps.ts';
import { withHosts } from '../world/change-snapshot.ts';

/** Empty hosts are added: the room and the reserve that they bring. Nothing has to move. */
export function* addHosts(
  snapshot: ComputeSnapshot,
  { count, like }: Extract<WhatIfQuestion, { question: 'add' }>,
): Steps<WhatIfResult> {
  if (!(count >= 1 && count <= whatIfLimits.added) || !Number.isInteger(count))
    throw new InvalidInputError('count', `must be a whole number from 1 to ${whatIfLimits.added}`);
  const [row = 0] = findHosts(snapshot, 'host', [like]);
  const model = createWhatIf(snapshot);
  const hosts = acceptingHosts(model);
  const before = yield* measureBefore({ model, hosts });
  const after = withHosts(snapshot, row, count);
  const modelAfter = createWhatIf(after);
  const hostsAfter = acceptingHosts(modelAfter);
  return {
    verdict: 'fits',
    text: `${counted(count, 'host')} like ${like}: no instance has to move`,
    ...{ because: null, number: null, isExact: true, moves: [], obstacles: [], hosts: [] },
    places: yield* comparePlaces({ snapshot, hosts }, { snapshot: after, hosts: hostsAfter }),
    ...(yield* compareWorlds(before, { model: modelAfter, hosts: hostsAfter })),
    notes: [`the new hosts are in the zone and the aggregates of ${like}, and have its traits`],
  };
}
