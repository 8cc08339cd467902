import { actionStateTable, doublingPause, isTerminal } from '#libs/domain';
import { OpenStackError } from '#libs/openstack';
import type { ActionView } from '#libs/store';
import { ActionTimeoutError, RunSuspendedError } from '../../errors.ts';
import type { PlanRun } from '../plan-run.ts';
import { reasonOf, statusMessages } from '../status-messages.ts';
import { wait } from '../wait.ts';

const pauses = { firstMs: 5_000, longestMs: 300_000 };
/** Longest wait for the cloud after a request to cancel the plan, in milliseconds. */
const cancelledPatienceMs = 900_000;

/** The outage hides the state of an action, so no end state can be determined. */
export interface CloudOutage {
  /**
   * Called after a failed check. Reports it in the status message of the action, and waits before the next check.
   * Returns false when waiting does not help: the error is not from the cloud, or the plan was cancelled.
   * @throws RunSuspendedError at the end of `RunnerOptions.blindLimitMs`
   */
  waitOut(error: unknown): Promise<boolean>;
  /** Called after a successful check: clears the message. */
  end(): Promise<void>;
}

/** Initial state: no failed check. */
export function createCloudOutage(run: PlanRun, action: ActionView): CloudOutage {
  const begin = run.clock.now();
  // Keeps the message of an ended action, which is checked only for a revert.
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
      const pauseMs = doublingPause(failures, pauses);
      failures += 1;
      await wait(pauseMs / run.options.timeScale, run.halt);
      return true;
    },
    async end() {
      if (failures > 0) await say(action[column]);
    },
  };
}

/** Whether an error means only that the cloud could not be checked. */
function isBlind(error: unknown): boolean {
  return error instanceof OpenStackError || error instanceof ActionTimeoutError;
}
