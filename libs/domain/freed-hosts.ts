import { powerActionTypes } from './action-facts.ts';
import type { Action } from './entities.ts';
import type { HostBeforeAfter } from './plan-hosts.ts';

/**
 * Number of hosts that a plan frees: hosts that become empty or whose machine is powered off, less hosts that the plan
 * starts to use or powers on. At least 0. `libs/store/lists/plan-work.ts` has the same definition in SQL, without
 * machines.
 *
 * @param hosts the hosts of the plan, before and after
 * @param actions its actions, for power. Default: none.
 */
export function freedHosts(
  hosts: readonly Pick<HostBeforeAfter, 'hostname' | 'before' | 'after'>[],
  actions: readonly Pick<Action, 'actionType' | 'inputParameters'>[] = [],
): number {
  const freed = new Set<unknown>();
  const taken = new Set<unknown>();
  for (const { hostname, before, after } of hosts) {
    if (before.instances > 0 && after.instances === 0) freed.add(hostname);
    if (before.instances === 0 && after.instances > 0) taken.add(hostname);
  }
  for (const { actionType, inputParameters } of actions) {
    if (!powerActionTypes.includes(actionType)) continue;
    const host = inputParameters.resource_name ?? inputParameters.resource_id;
    if (inputParameters.state === 'off') freed.add(host);
    else if (inputParameters.state === 'on') taken.add(host);
  }
  return Math.max(0, freed.size - taken.size);
}
