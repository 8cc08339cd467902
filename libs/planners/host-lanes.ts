import type { ComputeSnapshot } from '#libs/cluster-model';
import { migratingActionTypes } from '#libs/domain';
import type { PlanLimits, ProposedAction } from '#libs/plugin-kit';
import { inputText } from './action-view.ts';
import { createSharing } from './resource/lanes.ts';

/**
 * Enforces the limits of concurrent migrations: out of each host, into each host, by network, by aggregate and by
 * plan.
 */
export interface HostLanes {
  /** Earlier actions that a migration waits for. None for other actions, and for hosts that it does not name. */
  enter(action: ProposedAction, uuid: string): string[];
}

/**
 * Lanes of all limits, initially free. With a limit of n, a migration waits for the one n places before it. At most n
 * therefore run concurrently, whichever ends first.
 */
export function createHostLanes(limits: PlanLimits, snapshot: ComputeSnapshot): HostLanes {
  const sharing = createSharing(limits, snapshot);
  const rows = new Map(snapshot.hostInfo.map(({ hostname }, row) => [hostname, row]));
  const entered = new Map<string, string[]>();

  function queue(key: string, limit: number, uuid: string): string[] {
    const known = entered.get(key) ?? [];
    entered.set(key, known);
    const before = known.at(-Math.max(1, Math.floor(limit)));
    known.push(uuid);
    return before === undefined ? [] : [before];
  }

  return {
    enter(action, uuid) {
      if (!migratingActionTypes.includes(action.actionType)) return [];
      const [source, destination] = ['source_node', 'destination_node'].map((key) => inputText(action, key) ?? null);
      const rowOf = (host: string | null | undefined) => rows.get(host ?? '') ?? -1;
      const shared = sharing({
        source: source ?? null,
        destination: destination ?? null,
        ...{ sourceRow: rowOf(source), destinationRow: rowOf(destination) },
      });
      const before = [
        ...queue('plan', limits.parallelMigrations, uuid),
        ...(source == null ? [] : queue(`from ${source}`, limits.parallelPerSourceHost, uuid)),
        ...(destination == null ? [] : queue(`to ${destination}`, limits.parallelPerDestinationHost, uuid)),
        ...shared.flatMap(({ name, limit }) => queue(name, limit, uuid)),
      ];
      return [...new Set(before)];
    },
  };
}
