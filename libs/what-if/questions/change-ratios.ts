import { type ComputeSnapshot, type ConstraintName, createWhatIf, type WhatIf } from '#libs/cluster-model';
import { counted, InvalidInputError, whatIfLimits } from '#libs/domain';
import { findHosts } from '../find-hosts.ts';
import { tolerance } from '../packing/packing-problem.ts';
import { acceptingHosts, comparePlaces, compareWorlds, measureBefore } from '../report/compare-worlds.ts';
import type { Obstacle, WhatIfQuestion, WhatIfResult } from '../report/what-if.ts';
import type { Steps } from '../steps.ts';
import { type Ratios, withRatios } from '../world/change-snapshot.ts';

const columns = { cpu: 'vcpus', memory: 'memory', disk: 'disk' } as const;
const constraints: Record<keyof Ratios, ConstraintName> = { cpu: 'vcpu', memory: 'memory', disk: 'disk' };

/** Allocation ratios change: hosts that are overfull by that, and the room that is won or lost. */
export function* changeRatios(
  snapshot: ComputeSnapshot,
  { ratios, names }: Extract<WhatIfQuestion, { question: 'ratio' }>,
): Steps<WhatIfResult> {
  const given = (Object.keys(columns) as (keyof Ratios)[]).filter((name) => ratios[name] !== undefined);
  checkRatios(ratios, given);
  const rows = names.length === 0 ? [...snapshot.hostInfo.keys()] : findHosts(snapshot, 'host', names);
  const model = createWhatIf(snapshot);
  const hosts = acceptingHosts(model);
  const before = yield* measureBefore({ model, hosts });
  const after = withRatios(snapshot, rows, ratios);
  const modelAfter = createWhatIf(after);
  const overfull = overfullHosts(modelAfter, rows, given);
  const known = new Set(overfullHosts(model, rows, given).map(keyOf));
  const obstacles = overfull.filter((obstacle) => !known.has(keyOf(obstacle)));
  const list = given.map((name) => `${name}=${ratios[name]}`).join(' ');
  const on = `${list} on ${counted(rows.length, 'host')}`;
  return {
    verdict: obstacles.length === 0 ? 'fits' : 'does_not_fit',
    text:
      obstacles.length === 0
        ? `${on}: no host becomes overfull`
        : `${on}: ${counted(new Set(obstacles.map(({ hostname }) => hostname)).size, 'host')} would be overfull`,
    because:
      obstacles.length === 0 ? null : 'the instances stay, and overfull hosts take nothing until they have room again',
    ...{ number: null, isExact: true, moves: [], obstacles, hosts: [] },
    places: yield* comparePlaces({ snapshot, hosts }, { snapshot: after, hosts: acceptingHosts(modelAfter) }),
    ...(yield* compareWorlds(before, { model: modelAfter, hosts: acceptingHosts(modelAfter) })),
    notes: [
      'no instance has to move',
      ...(known.size === 0 ? [] : [`${counted(known.size, 'resource')} of hosts are overfull already`]),
    ],
  };
}

function checkRatios(ratios: Ratios, given: readonly (keyof Ratios)[]): void {
  const { least, most } = whatIfLimits.ratio;
  if (given.length === 0)
    throw new InvalidInputError('ratios', `name at least one of ${Object.keys(columns).join(', ')}`);
  for (const name of given) {
    const ratio = ratios[name] as number;
    if (!(ratio >= least && ratio <= most))
      throw new InvalidInputError(`ratios.${name}`, `must be a number from ${least} to ${most}`);
  }
}

const keyOf = ({ hostname, constraint }: Obstacle) => `${constraint} ${hostname}`;

function overfullHosts(model: WhatIf, rows: readonly number[], given: readonly (keyof Ratios)[]): Obstacle[] {
  return rows.flatMap((row) =>
    given
      .filter((name) => model.free(row)[columns[name]] < -tolerance)
      .map((name) => ({
        ...{ instance: null, name: null, hosts: null },
        hostname: model.snapshot.hostInfo[row]?.hostname ?? '',
        constraint: constraints[name],
      })),
  );
}
