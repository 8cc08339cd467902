import type { WhatIf } from '#libs/cluster-model';
import type { TargetUtilization } from '../shared/hosts/target-utilization.ts';
import { type Resource, roomForInstances, type Term } from './terms.ts';

const resources: Resource[] = ['vcpus', 'memory', 'disk'];

/** Allocations of a resource: of each instance, and on each host. */
interface Allocations {
  /** By instance. */
  use: Float64Array;
  /** Sum of the instances of each host, its limit by the target, and by its capacity. */
  now: Float64Array;
  within: Float64Array;
  room: Float64Array;
}

function allocationsOf(model: WhatIf, resource: Resource, percent: number): Allocations {
  const { hostInfo, instanceInfo } = model.snapshot;
  const use = Float64Array.from(instanceInfo, (_, row) => model.needs(row)[resource]);
  const room = Float64Array.from(hostInfo, (_, host) => roomForInstances(model, host, resource));
  return {
    ...{ use, room },
    now: room.map((_, host) => model.instancesOn(host).reduce((sum, row) => sum + use[row]!, 0)),
    within: room.map((own, host) => own - (model.capacity(host)[resource] * (100 - percent)) / 100),
  };
}

/**
 * Allocations that a plan adds above the target, in percent of the capacity of the cloud.
 * @param fillsAny whether hosts may be filled above the target. Hosts above their capacity never are
 */
export function targetTerm(model: WhatIf, target: TargetUtilization, fillsAny: boolean): Term {
  const sizes = resources.map((resource) =>
    Float64Array.from(model.snapshot.hostInfo, (_, host) => model.capacity(host)[resource]),
  );
  const amounts = resources.map((resource) => allocationsOf(model, resource, target[resource]));
  const costs = amounts.map(({ use, now, within }, at) => {
    const size = sizes[at]!.reduce((sum, own) => sum + own, 0);
    return { weight: size > 0 ? 100 / size : 0, use, limit: within.map((own, host) => Math.max(own, now[host]!)) };
  });
  const limits = amounts.map(({ use, now, within, room }) => {
    const most = 1 + use.reduce((sum, own) => sum + own, 0);
    const limit = within.map((own, host) => (fillsAny && now[host]! <= room[host]! ? most : own));
    return { weight: 0, use, limit, isWall: true };
  });
  const shares = amounts.map(({ use, room }, at) => {
    const size = sizes[at]!;
    return { words: `allocated ${resources[at]!}`, use, base: size.map((own, host) => own - room[host]!), size };
  });
  return { level: 1, name: 'above_target', unit: '%', hinges: [...costs, ...limits], shares };
}
