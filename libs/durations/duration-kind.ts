/** Kinds of actions whose durations depend on a size: memory in MiB of migrations, GiB of volumes. */
const sizedKinds = ['live', 'cold', 'evacuate', 'resize', 'volume'] as const;

/** Kind of an action that a duration belongs to: one of the sized kinds, or the action type. */
export type DurationKind = string;

/**
 * Kind of an action by its effect: `live` and `cold` migrations, `evacuate`, `resize`, `volume`, or the action type.
 * @param actionType of an action that undoes another, the type of that
 */
export function durationKind(actionType: string, migrationType: string | null): DurationKind {
  if (actionType === 'migrate') return migrationType === 'live' ? 'live' : 'cold';
  return actionType === 'volume_migrate' ? 'volume' : actionType;
}

/** Whether the duration of a kind grows with a size. */
export function isSized(kind: DurationKind): boolean {
  return (sizedKinds as readonly string[]).includes(kind);
}
