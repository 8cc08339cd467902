import { actionPlanStateTable } from '#libs/domain';
import type { Store } from '#libs/store';
import type { HistoryEvent } from '../check-history.ts';

/** An event without its place in the order of commits. */
type Placeless<Event> = Event extends unknown ? Omit<Event, 'at'> : never;

/** Collects the events of a history in the order in which the database committed them. */
export interface PositionLog {
  /** Number of the newest committed change. */
  position(): Promise<number>;
  note(event: Placeless<HistoryEvent>): Promise<number>;
  /** The noted events, and those that the change log shows since the log was opened. */
  events(): Promise<HistoryEvent[]>;
}

const mostChanges = 100_000;

/** Opens the log at the newest change of the store. */
export async function openPositionLog({ changes }: Pick<Store, 'changes'>): Promise<PositionLog> {
  const noted: HistoryEvent[] = [];
  const { epoch, newest: revno } = await changes.bounds();
  const position = async () => (await changes.bounds()).newest;

  async function changesOfPlans(): Promise<HistoryEvent[]> {
    const appliers = new Map<string, unknown>();
    const rows = await changes.read({ epoch, revno }, mostChanges);
    return rows.flatMap((row): HistoryEvent[] => {
      const { doc, entityUuid: plan, revno: at } = row;
      if (row.kind !== 'action_plan' || doc === null) return [];
      const step = row.oldState === null ? null : stepTo(doc.state);
      if (step !== null) return [{ at, kind: step, plan }];
      if (doc.hostname === null || doc.hostname === appliers.get(plan)) return [];
      appliers.set(plan, doc.hostname);
      return [{ at, kind: 'claimed', plan, applier: String(doc.hostname) }];
    });
  }

  return {
    position,
    async note(event) {
      const at = await position();
      noted.push({ at, ...event });
      return at;
    },
    events: async () => [...(await changesOfPlans()), ...noted].sort((one, other) => one.at - other.at),
  };
}

/** How a change to this state changes the hold of a plan. */
function stepTo(state: unknown): 'held' | 'ended' | null {
  if (state === 'PENDING') return 'held';
  return actionPlanStateTable.terminal.some((end) => end === state) ? 'ended' : null;
}
