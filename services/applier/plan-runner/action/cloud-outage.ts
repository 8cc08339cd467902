import { actionStateTable, isTerminal } from '#libs/domain';
import { OpenStackError } from '#libs/openstack';
import type { ActionView } from '#libs/store';
import { ActionTimeoutError, RunSuspendedError } from '../../errors.ts';
import type { PlanRun } from '../plan-run.ts';
import { reasonOf, statusMessages } from '../status-messages.ts';
import { wait } from '../wait.ts';

const firstPauseMs = 5_000;
const longestPauseMs = 300_000;
/** Once people have asked to cancel the plan, nobody waits for the cloud longer than this, in milliseconds. */
const cancelledPatienceMs = 900_000;

/** Time in which nobody can see what becomes of an action, so that no end state of it can be true. */
export interface CloudOutage {
  /**
   * To be called when a look has failed: says so in the status message of the action, and waits before the next look.
   * Returns false when waiting is of no use: the error is not the cloud's, or people have cancelled the plan.
   * @throws RunSuspendedError at the end of `RunnerOptions.blindLimitMs`
   */
  waitOut(error: unknown): Promise<boolean>;
  /** To be called when a look has succeeded: takes the message away. */
  end(): Promise<void>;
}

/** Nothing has failed yet. */
export function createCloudOutage(run: PlanRun, action: ActionView): CloudOutage {
  const begin = run.clock.now();
  // What an action that has ended says stays: it is checked again to be undone.
  const column = isTerminal(actionStateTable, action.state) ? 'rollbackMessage' : 'statusMessage';
  let failures = 0;

  async function say(text: string | null): Promise<void> {
    await run.writes.updateFenced((unit) => unit.actions.update(action.uuid, { [column]: text }));
  }

  return {
    async waitOut(error) {
      if (!isBlind(error)) return false;
      const blindMs = run.clock.now() - begin;
      if (run.watch.cancelRequested && blindMs >= cancelledPatienceMs) return false;
      const reason = reasonOf(error);
      if (blindMs >= run.options.blindLimitMs) {
        await say(action[column]);
        throw new RunSuspendedError(statusMessages.suspendedBlind(action, reason));
      }
      if (failures === 0) await say(statusMessages.blind(reason));
      const pauseMs = Math.min(firstPauseMs * 2 ** failures, longestPauseMs);
      failures += 1;
      await wait(pauseMs / run.options.timeScale, run.halt);
      return true;
    },
    async end() {
      if (failures > 0) await say(action[column]);
    },
  };
}

/** Whether an error says that the cloud could not be checked, and nothing of what it is like. */
function isBlind(error: unknown): boolean {
  return error instanceof OpenStackError || error instanceof ActionTimeoutError;
}
