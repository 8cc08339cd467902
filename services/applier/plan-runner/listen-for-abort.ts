import type { ActionView } from '#libs/store';
import { AbortRequestedError } from '../errors.ts';
import type { PlanRun } from './plan-run.ts';

/** Waits beside a running action for a request to abort it. */
export interface AbortListener {
  /** Fires when the action has become CANCELLING. */
  signal: AbortSignal;
  /** Stops waiting; answers the row, which is CANCELLING when there was a request. */
  settle(): Promise<ActionView>;
}

/** Only ONGOING actions whose type can be aborted are interrupted. */
export function listenForAbort(run: PlanRun, action: ActionView): AbortListener {
  const interruption = new AbortController();
  const isAbortable = action.state === 'ONGOING' && run.deps.actions.get(action.actionType).abortable;
  let moving: Promise<ActionView> | null = null;

  async function interrupt(): Promise<ActionView> {
    const row = await run.writes.moveAction(action.uuid, 'beginAbort');
    interruption.abort(new AbortRequestedError());
    return row;
  }

  function look(): void {
    if (!isAbortable || moving !== null || !run.watch.abortRequested) return;
    moving = interrupt();
    // Whoever settles gets the error.
    moving.catch(() => undefined);
  }

  const stopListening = run.watch.onLook(look);
  look();
  return {
    signal: interruption.signal,
    async settle() {
      stopListening();
      return moving ?? action;
    },
  };
}
