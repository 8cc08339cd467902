import { copyingActionTypes, migratingActionTypes, volumeActionTypes } from '#libs/domain';

/** Kinds whose durations depend on a size: memory in MiB of instances, GiB of volumes. */
const sizedKinds: ReadonlySet<string> = new Set(['live', 'cold', 'volume', ...copyingActionTypes]);

/** Kind of an action that a duration belongs to: one of the sized kinds, or the action type. */
export type DurationKind = string;

/**
 * Kind of an action by its effect: `live` and `cold` migrations, `evacuate`, `resize`, `volume`, or the action type.
 * @param actionType of an action that undoes another, the type of that
 */
export function durationKind(actionType: string, migrationType: string | null): DurationKind {
  if (migratingActionTypes.includes(actionType)) return migrationType === 'live' ? 'live' : 'cold';
  return volumeActionTypes.includes(actionType) ? 'volume' : actionType;
}

/** Whether the duration of a kind grows with a size. */
export function isSized(kind: DurationKind): boolean {
  return sizedKinds.has(kind);
}
