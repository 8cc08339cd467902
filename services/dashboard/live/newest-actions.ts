import type { LiveKinds } from './live-entities.ts';

type Action = LiveKinds['action'];

/**
 * The newest version of each read action, of those that the page has shown and those of the stream. The stream drops
 * ended actions some time after their plan.
 */
export function newestActions(read: readonly Action[], shown: readonly Action[], live: readonly Action[]): Action[] {
  const [before, reported] = [shown, live].map((versions) => new Map(versions.map((action) => [action.uuid, action])));
  return read.map((action) => newer(newer(action, before?.get(action.uuid)), reported?.get(action.uuid)));
}

/** The newer of two versions: the other one, unless the known one has changed since. */
function newer(known: Action, other: Action | undefined): Action {
  return other === undefined || (known.updated_at ?? '') > (other.updated_at ?? '') ? known : other;
}
