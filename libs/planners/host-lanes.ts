import type { PlanLimits, ProposedAction } from '#libs/plugin-kit';
import { inputText } from './action-view.ts';

/** Keeps the limits of migrations at once out of each host and into each host. */
export interface HostLanes {
  /** Earlier actions that a migration waits for. None for other actions, and for hosts that it does not name. */
  enter(action: ProposedAction, uuid: string): string[];
}

/**
 * Lanes of all hosts, all free. A migration waits for the one that is as many places before it at a host as the limit
 * says. So no more of them run at once there, whichever ends first.
 */
export function createHostLanes({
  parallelPerSourceHost,
  parallelPerDestinationHost,
}: Pick<PlanLimits, 'parallelPerSourceHost' | 'parallelPerDestinationHost'>): HostLanes {
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
      if (action.actionType !== 'migrate') return [];
      const [source, destination] = [inputText(action, 'source_node'), inputText(action, 'destination_node')];
      const before = [
        ...(source === undefined ? [] : queue(`from ${source}`, parallelPerSourceHost, uuid)),
        ...(destination === undefined ? [] : queue(`to ${destination}`, parallelPerDestinationHost, uuid)),
      ];
      return [...new Set(before)];
    },
  };
}
