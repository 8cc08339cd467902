import type { Action, ActionPlan, Audit } from './entities.ts';
import { VigilApiError } from './errors.ts';
import { type Patience, sleep, untilAnswered } from './patience.ts';

/** Options for waiting. An outage of the API is waited for too, within `maxDownMs`. */
export interface WaitOptions<Progress> extends Patience {
  /** Pause between two polls in milliseconds. Default 1000. */
  pollMs?: number;
  /** Longest wait in milliseconds. Without end when absent. */
  timeoutMs?: number;
  /** Called after every poll. */
  onProgress?: (progress: Progress) => void;
}

/** How far a plan is. */
export interface PlanProgress {
  plan: ActionPlan;
  actions: Action[];
  /** Ended actions, with any result. */
  ended: number;
  failed: number;
}

const auditEnds = new Set(['SUCCEEDED', 'FAILED', 'CANCELLED', 'SUSPENDED', 'DELETED']);
const planEnds = new Set(['SUCCEEDED', 'FAILED', 'CANCELLED', 'SUPERSEDED', 'SUSPENDED', 'DELETED']);
const actionEnds = new Set(['SUCCEEDED', 'FAILED', 'SKIPPED', 'CANCELLED', 'DELETED']);

/** Checks an audit until it has ended. */
export function pollAudit(read: () => Promise<Audit>, options: WaitOptions<Audit> = {}): Promise<Audit> {
  return waitUntil(read, (audit) => auditEnds.has(audit.state), options, 'audit');
}

/** Checks a plan and its actions until the plan has ended. */
export async function pollActionPlan(
  read: () => Promise<ActionPlan>,
  readActions: () => Promise<Action[]>,
  options: WaitOptions<PlanProgress> = {},
): Promise<ActionPlan> {
  const readProgress = async (): Promise<PlanProgress> => {
    // The plan first: when it has ended, the actions read after it are final as well.
    const plan = await read();
    const actions = await readActions();
    return {
      plan,
      actions,
      ended: actions.filter(({ state }) => actionEnds.has(state)).length,
      failed: actions.filter(({ state }) => state === 'FAILED').length,
    };
  };
  const { plan } = await waitUntil(
    readProgress,
    (progress) => planEnds.has(progress.plan.state),
    options,
    'action plan',
  );
  return plan;
}

/**
 * Polls until the end. Returns the last state.
 * @param subject names the awaited object in the error after `timeoutMs`, such as `audit`.
 * @throws VigilApiError when a poll is refused permanently, the API is unavailable for `maxDownMs`, or `timeoutMs` are
 * over. The reason of `signal` when that is aborted
 */
export async function waitUntil<Seen>(
  read: () => Promise<Seen>,
  isEnd: (seen: Seen) => boolean,
  options: WaitOptions<Seen>,
  subject: string,
): Promise<Seen> {
  const { pollMs = 1000, timeoutMs, signal, onProgress } = options;
  const late = () => new VigilApiError('timeout', 0, `the ${subject} has not ended within ${timeoutMs} ms`);
  const limit = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const ending = limit && signal ? AbortSignal.any([limit, signal]) : (limit ?? signal);
  for (;;) {
    const seen = await untilAnswered(read, { ...options, signal: ending }).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw limit?.aborted ? late() : error;
    });
    onProgress?.(seen);
    if (isEnd(seen)) return seen;
    if (limit?.aborted) throw late();
    await sleep(pollMs, ending);
  }
}
