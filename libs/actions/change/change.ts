import type { JsonObject } from '#libs/domain';
import type { TakenRequest } from '#libs/openstack';
import type { ActionContext, ProbeResult } from '#libs/plugin-kit';
import { intentOf, type Journalled, resultOf } from './journal-slot.ts';
import { sendOnce, tookLateEffect } from './send-once.ts';

/** Direction of an attempt: as planned, or reverted. */
export type Direction = 'forward' | 'backward';

/**
 * State of a change in the cloud. `idle`: no trace of it. `verify`: it waits for its confirmation. `foreign`: another
 * requester made the change.
 */
export type Judgement =
  | { kind: 'idle' | 'running' | 'verify' | 'applied' }
  | { kind: 'failed' | 'foreign'; evidence: string };

/** A kind of change in the cloud: its journalled trace, and the check of its effect. */
export interface ChangeKind<Input, Trace extends JsonObject> {
  /** Reads the trace from a journalled intent. */
  read(intent: JsonObject): Trace;
  /** Reads the cloud. `wasAccepted`: the service has accepted the request. */
  judge(context: ActionContext<Input>, trace: Trace, wasAccepted: boolean): Promise<Judgement>;
}

/** The steps of one change: journal, request, and check of the effect. */
export interface Change<Trace extends JsonObject> {
  /** The trace in the journal. Undefined when nothing was requested. */
  trace(): Trace | undefined;
  judge(trace: Trace): Promise<Judgement>;
  /** The journalled trace, if the cloud shows its request. */
  visibleTrace(): Promise<Trace | undefined>;
  /** Requests the change at most once, see `sendOnce`. */
  send(trace: Trace, request: () => Promise<TakenRequest> | Promise<void>): Promise<void>;
  /** Waits until a request with an unknown outcome takes effect, or can no longer do so. */
  awaitLateEffect(trace: Trace): Promise<void>;
  /** State of the attempt, for `probe` of the action type. */
  probe(): Promise<ProbeResult>;
}

/** The change of `kind` that the action makes in `direction`. Uses the journal slot with that name. */
export function openChange<Input, Trace extends JsonObject>(
  context: ActionContext<Input>,
  direction: Direction,
  kind: ChangeKind<Input, Trace>,
): Change<Trace> {
  const trace = () => traceIn(context, direction, kind);
  const wasAccepted = () => resultOf(context, direction)?.accepted === true;
  const judge = (judged: Trace) => kind.judge(context, judged, wasAccepted());
  const effectOf = (requested: Trace) => ({
    slot: direction,
    tookEffect: async () => (await kind.judge(context, requested, false)).kind !== 'idle',
  });
  return {
    trace,
    judge,
    async visibleTrace() {
      const known = trace();
      return known && (await judge(known)).kind !== 'idle' ? known : undefined;
    },
    send: (fresh, request) => sendOnce(context, { ...effectOf(fresh), intent: fresh, send: request }),
    async awaitLateEffect(requested) {
      await tookLateEffect(context, effectOf(requested));
    },
    async probe() {
      const known = trace();
      return known ? probeResult((await judge(known)).kind, wasAccepted()) : 'not_started';
    },
  };
}

/** The trace of a change of `kind` in a journal. Undefined when nothing was requested. */
export function traceIn<Trace extends JsonObject>(
  context: Journalled,
  direction: Direction,
  kind: Pick<ChangeKind<never, Trace>, 'read'>,
): Trace | undefined {
  const intent = intentOf(context, direction);
  return intent && kind.read(intent);
}

const probeResults: Record<Judgement['kind'], ProbeResult> = {
  idle: 'not_started',
  running: 'in_progress',
  verify: 'in_progress',
  applied: 'applied',
  failed: 'failed',
  foreign: 'failed',
};

/** State of an attempt. A request that the service accepted and that left no trace has failed. */
export function probeResult(kind: Judgement['kind'], wasAccepted: boolean): ProbeResult {
  return kind === 'idle' && wasAccepted ? 'failed' : probeResults[kind];
}
