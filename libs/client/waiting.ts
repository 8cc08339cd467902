import type { Action, ActionPlan, Audit } from './entities.ts';
import { VigilApiError } from './errors.ts';

/** How to wait for something that takes time. */
export interface WaitOptions<Progress> {
  /** Pause between two looks in milliseconds; default 1000. */
  pollMs?: number;
  /** Longest wait in milliseconds; without end when absent. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Called after every look. */
  onProgress?: (progress: Progress) => void;
}

/** How far a plan is. */
export interface PlanProgress {
  plan: ActionPlan;
  actions: Action[];
  /** Actions that have ended, whatever their result. */
  ended: number;
  failed: number;
}

const auditEnds = new Set(['SUCCEEDED', 'FAILED', 'CANCELLED', 'SUSPENDED', 'DELETED']);
const planEnds = new Set(['SUCCEEDED', 'FAILED', 'CANCELLED', 'SUPERSEDED', 'DELETED']);
const actionEnds = new Set(['SUCCEEDED', 'FAILED', 'SKIPPED', 'CANCELLED', 'DELETED']);

/** Looks at an audit until it has ended. */
export function pollAudit(read: () => Promise<Audit>, options: WaitOptions<Audit> = {}): Promise<Audit> {
  return poll(read, (audit) => auditEnds.has(audit.state), options, 'audit');
}

/** Looks at a plan and its actions until the plan has ended. */
export async function pollActionPlan(
  read: () => Promise<ActionPlan>,
  readActions: () => Promise<Action[]>,
  options: WaitOptions<PlanProgress> = {},
): Promise<ActionPlan> {
  const look = async (): Promise<PlanProgress> => {
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
  const { plan } = await poll(look, (progress) => planEnds.has(progress.plan.state), options, 'action plan');
  return plan;
}

async function poll<Seen>(
  look: () => Promise<Seen>,
  isEnd: (seen: Seen) => boolean,
  options: WaitOptions<Seen>,
  what: string,
): Promise<Seen> {
  const { pollMs = 1000, timeoutMs, signal, onProgress } = options;
  const limit = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  for (;;) {
    signal?.throwIfAborted();
    const seen = await look();
    onProgress?.(seen);
    if (isEnd(seen)) return seen;
    if (limit?.aborted) throw new VigilApiError('timeout', 0, `the ${what} has not ended within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
