import type { ActionAttemptJournal, JsonObject } from '#libs/domain';
import type { ActionContext } from '#libs/plugin-kit';
import { withGrace } from '#libs/service-kit';
import type { ActionView } from '#libs/store';
import { ActionTimeoutError } from '../../errors.ts';
import { startDeadline } from '../limits/start-deadline.ts';
import { createPatientCloud } from '../patient-cloud.ts';
import type { PlanRun } from '../plan-run.ts';
import { wait } from '../wait.ts';

export interface ScopeOptions {
  /** Attempt for journal entries. Null for read-only phases. */
  journal: ActionAttemptJournal | null;
  /** Time budget of the attempt, for messages. */
  budgetMs: number;
  /** End of the time budget, in milliseconds of the run's clock. */
  deadlineMs: number;
  /** Also ends the phase early. */
  interruption?: AbortSignal;
}

/** Access of an action during one phase, and the end of this access. */
export interface ActionScope {
  context: ActionContext;
  /**
   * Calls the plugin. Rejects with the reason of the signal when the plugin ignores the signal. After that, the plugin
   * can neither pass the guard nor write to the journal.
   */
  call<Result>(method: (context: ActionContext) => Promise<Result>): Promise<Result>;
  /** Stops the timer. */
  close(): void;
}

/**
 * Opens the context of one phase of an action. Its signal fires at the deadline and when the run is halted. A closed
 * gate postpones the deadline.
 */
export function openActionScope(run: PlanRun, action: ActionView, options: ScopeOptions): ActionScope {
  const { deps } = run;
  const deadline = new AbortController();
  const stopTimer = startDeadline({
    deadlineMs: options.deadlineMs,
    clock: run.clock,
    gate: deps.gate,
    onEnd: () => deadline.abort(new ActionTimeoutError(options.budgetMs)),
  });
  const signals = [run.halt, deadline.signal, ...(options.interruption ? [options.interruption] : [])];
  const signal = AbortSignal.any(signals);
  const logger = deps.logger.child({ plan: run.plan.uuid, action: action.uuid, type: action.actionType });
  const sleep = async (ms: number) => {
    await deps.racePoint('mid-poll');
    await wait(ms / run.options.timeScale, signal);
  };
  const requestId = `req-${action.uuid}`;
  let isAbandoned = false;
  const refuseAbandoned = () => {
    if (isAbandoned) throw signal.reason;
  };

  async function call<Result>(method: (context: ActionContext) => Promise<Result>): Promise<Result> {
    const onLate = () => {
      isAbandoned = true;
      logger.error({}, 'the plugin of this action type ignores its signal; no longer waiting for it');
    };
    return withGrace(method(context), { signal, graceMs: run.options.settleMs, onLate });
  }

  const context: ActionContext = {
    uuid: action.uuid,
    input: action.inputParameters,
    cloud: createPatientCloud(run.cloud, { requestId, signal, sleep, logger }),
    journal: openJournal(run, options.journal, refuseAbandoned),
    async guard() {
      refuseAbandoned();
      await deps.gate.whenOpen(signal);
      await run.writes.persist(() => run.keeper.guard());
    },
    signal,
    deadlineMs: options.deadlineMs,
    clock: run.clock,
    sleep,
    progress: (fraction) => deps.onProgress(action.uuid, Math.min(1, Math.max(0, fraction))),
    options: run.options.action,
    log: logger,
  };
  return { context, call, close: stopTimer };
}

function openJournal(
  run: PlanRun,
  journal: ActionAttemptJournal | null,
  refuseAbandoned: () => void,
): ActionContext['journal'] {
  let current = journal;
  function required(): ActionAttemptJournal {
    if (!current) throw new TypeError('this phase of an action has no journal');
    return current;
  }
  async function write(entry: { phase: string; intent?: JsonObject; result?: JsonObject; externalRef?: string }) {
    const { id } = required();
    refuseAbandoned();
    await run.writes.inTransaction((unit) => unit.actionAttempts.write(id, run.fence, entry));
  }
  return {
    current: required,
    async intent(entry) {
      await write({ phase: 'intent', intent: entry });
      current = { ...required(), phase: 'intent', intent: { ...required().intent, ...entry } };
      await run.deps.racePoint('after-intent');
    },
    async result(entry, externalRef) {
      await run.deps.racePoint('after-send');
      await write({ phase: 'result', result: entry, externalRef });
      const { result, externalRef: former } = required();
      current = {
        ...required(),
        phase: 'result',
        result: { ...result, ...entry },
        externalRef: externalRef ?? former,
      };
    },
  };
}
