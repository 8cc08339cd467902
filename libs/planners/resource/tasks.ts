import type { ComputeSnapshot } from '#libs/cluster-model';
import { copyingActionTypes, migratingActionTypes, movingActionTypes } from '#libs/domain';
import type { ProposedAction } from '#libs/plugin-kit';
import { inputText } from '../action-view.ts';

/** A proposed action with the facts that the planner needs. */
export interface Task {
  index: number;
  action: ProposedAction;
  /** Row of the instance that a migration or an evacuation moves, −1 for everything else and for unknown instances. */
  instance: number;
  isMigration: boolean;
  /** Whether it counts against the limit of the whole plan: it copies data through the network. */
  copiesData: boolean;
  /** Host names of a migration. Null where none is named, and for the failed host of an evacuation. */
  source: string | null;
  destination: string | null;
  /** Rows of the hosts, −1 when the snapshot does not have them. */
  sourceRow: number;
  destinationRow: number;
  /** Estimated duration in arbitrary units: it only shapes how migrations are dealt out to parallel lanes. */
  duration: number;
  /** Indices of the tasks that must be done before. */
  parents: Set<number>;
}

/** Set-up of a migration, as the MiB that could be copied in the same time. */
const migrationOverheadMib = 2048;

/** Makes tasks of actions, without parents yet. */
export function createTasks(actions: readonly ProposedAction[], snapshot: ComputeSnapshot): Task[] {
  const hostRows = new Map(snapshot.hostInfo.map((host, row) => [host.hostname, row]));
  const instanceRows = new Map(snapshot.instanceInfo.map((instance, row) => [instance.uuid, row]));
  return actions.map((action, index): Task => {
    const isMigration = movingActionTypes.includes(action.actionType);
    // A failed host takes no part in an evacuation, and gives no room back.
    const source = migratingActionTypes.includes(action.actionType) ? (inputText(action, 'source_node') ?? null) : null;
    const destination = isMigration ? (inputText(action, 'destination_node') ?? null) : null;
    const resource = isMigration ? inputText(action, 'resource_id') : undefined;
    const instance = resource === undefined ? -1 : (instanceRows.get(resource) ?? -1);
    const rowOf = (host: string | null) => (host === null ? -1 : (hostRows.get(host) ?? -1));
    return {
      index,
      action,
      instance,
      isMigration,
      copiesData: copyingActionTypes.includes(action.actionType),
      source,
      destination,
      sourceRow: rowOf(source),
      destinationRow: rowOf(destination),
      duration: copyingActionTypes.includes(action.actionType)
        ? migrationOverheadMib + (snapshot.instances.memory[instance] ?? 0)
        : 0,
      parents: new Set(),
    };
  });
}
