import type { ComputeSnapshot } from '#libs/cluster-model';
import { InvalidInputError, whatIfLimits } from '#libs/domain';
import { addHosts } from './questions/add-hosts.ts';
import { changeRatios } from './questions/change-ratios.ts';
import { leaveHosts } from './questions/leave-hosts.ts';
import { moveInstances } from './questions/move-instances.ts';
import { placeInstances } from './questions/place-instances.ts';
import type { WhatIfQuestion, WhatIfResult } from './report/what-if.ts';
import type { Steps } from './steps.ts';

export { hostsOfParts } from './find-hosts.ts';
export { acceptingHosts } from './report/compare-worlds.ts';
export type { ReserveLeft } from './report/reserve-left.ts';
export type { WhatIfQuestion, WhatIfResult } from './report/what-if.ts';
export { runInTurns, runSteps } from './steps.ts';
export { countPlaces, placesAmong, type WhatIfFlavor } from './world/flavor-places.ts';
export { frequentFlavors } from './world/frequent-flavors.ts';

/**
 * Computes a question about a cloud in steps. It reads the snapshot only, which may be current or from a recording. The
 * verdict on an incomplete snapshot is unknown.
 * @throws InvalidInputError that names the field and the nearest known name
 */
export function* computeWhatIf(snapshot: ComputeSnapshot, question: WhatIfQuestion): Steps<WhatIfResult> {
  checkNames(question);
  const result = yield* response(snapshot, question);
  if (snapshot.complete || result.verdict === 'unknown') return result;
  const because = `the model is not complete: ${snapshot.gaps.join('; ')}`;
  return { ...result, verdict: 'unknown', isExact: false, because };
}

function response(snapshot: ComputeSnapshot, question: WhatIfQuestion): Steps<WhatIfResult> {
  switch (question.question) {
    case 'lose':
    case 'remove':
      return leaveHosts(snapshot, question);
    case 'add':
      return addHosts(snapshot, question);
    case 'place':
      return placeInstances(snapshot, question);
    case 'ratio':
      return changeRatios(snapshot, question);
    case 'move':
      return moveInstances(snapshot, question);
  }
}

function checkNames(question: WhatIfQuestion): void {
  if (!('names' in question)) return;
  const { names } = question;
  if (names.length > whatIfLimits.names) throw new InvalidInputError('names', `at most ${whatIfLimits.names} names`);
  if (names.length === 0 && question.question !== 'ratio') throw new InvalidInputError('names', 'at least one name');
}
