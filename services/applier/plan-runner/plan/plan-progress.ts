import { actionStateTable, isTerminal } from '#libs/domain';
import type { ActionView } from '#libs/store';
import type { PlanGraph } from './plan-graph.ts';

/**
 * State of a run: its rows, and the actions that may start. The cost of an update is proportional to the number of the
 * action's children.
 */
export interface PlanProgress {
  /** By uuid, in order of id. */
  readonly actions: ReadonlyMap<string, ActionView>;
  /** ONGOING and CANCELLING actions: those of an earlier run, and those that this run has started. */
  unfinished(): Iterable<ActionView>;
  /** PENDING actions all of whose parents have ended. */
  ready(): Iterable<ActionView>;
  /** Stores the current row of an action. */
  update(row: ActionView): void;
  count(state: ActionView['state']): number;
  /** Uuid of the action that failed first. */
  firstFailed(): string | null;
}

/** State of a run that starts or continues with these rows. */
export function trackProgress(graph: PlanGraph, rows: readonly ActionView[]): PlanProgress {
  const actions = new Map(rows.map((row) => [row.uuid, row]));
  const counts = new Map<string, number>();
  const unfinished = new Map<string, ActionView>();
  const ready = new Map<string, ActionView>();
  const waitingFor = new Map<string, number>();
  let firstFailed: ActionView | null = null;

  function enter(row: ActionView): void {
    counts.set(row.state, (counts.get(row.state) ?? 0) + 1);
    if (row.state === 'ONGOING' || row.state === 'CANCELLING') unfinished.set(row.uuid, row);
    if (row.state === 'PENDING' && waitingFor.get(row.uuid) === 0) ready.set(row.uuid, row);
    if (row.state === 'FAILED' && endOf(row) < endOf(firstFailed)) firstFailed = row;
  }

  for (const row of rows) {
    waitingFor.set(row.uuid, graph.parentsOf(row.uuid).filter((parent) => !hasEnded(actions.get(parent))).length);
  }
  for (const row of rows) enter(row);

  function release(uuid: string): void {
    const left = (waitingFor.get(uuid) ?? 0) - 1;
    waitingFor.set(uuid, left);
    const child = actions.get(uuid);
    if (left === 0 && child?.state === 'PENDING') ready.set(uuid, child);
  }

  return {
    actions,
    unfinished: () => unfinished.values(),
    ready: () => ready.values(),
    count: (state) => counts.get(state) ?? 0,
    firstFailed: () => firstFailed?.uuid ?? null,
    update(row) {
      const former = actions.get(row.uuid);
      if (former) counts.set(former.state, (counts.get(former.state) ?? 1) - 1);
      ready.delete(row.uuid);
      unfinished.delete(row.uuid);
      actions.set(row.uuid, row);
      enter(row);
      if (!hasEnded(former) && hasEnded(row)) for (const child of graph.childrenOf(row.uuid)) release(child);
    },
  };
}

function hasEnded(row: ActionView | undefined): boolean {
  return row !== undefined && isTerminal(actionStateTable, row.state);
}

function endOf(row: ActionView | null): number {
  return row === null ? Number.POSITIVE_INFINITY : (row.endedAt?.getTime() ?? 0);
}
