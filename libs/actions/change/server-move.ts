import type { JsonObject } from '#libs/domain';
import { type Migration, OpenStackError, type TakenRequest } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import { ActionFailedError } from '../errors.ts';
import { type Change, type Direction, type Judgement, openChange } from './change.ts';
import { resultOf } from './journal-slot.ts';
import { type MoveRequest, newestRequest, observeMove, type RecordMark, type Sighting } from './move-record.ts';
import { pollUntil, pollWithin } from './poll.ts';
import { faultReason } from './refusal-reason.ts';
import { sendOnce } from './send-once.ts';

/** Polls without any trace of an accepted move before it counts as lost. */
const idlePolls = 12;

/** Parameters of an action that moves or resizes a server. */
type ServerInput = { resource_id: string };

/** A kind of change of a server with a migration record of Nova. */
export interface MoveKind<Input extends ServerInput, Trace extends RecordMark> {
  /** Its name in failure messages. */
  noun: string;
  /** Reads the trace from a journalled intent. */
  read(intent: JsonObject): Trace;
  /** Whether a record may belong to the traced move. */
  isTraced(record: Migration, trace: Trace): boolean;
  judge(sighting: Sighting, trace: Trace): Judgement;
  /** Nova's name of the request in os-instance-actions. Null: its fault is not read. */
  request(trace: Trace): MoveRequest | null;
  /** Kept in the journal with the id of the record. */
  noted?(record: Migration): JsonObject;
  /** Whether later changes of `noted` are also journalled. Default: only the first. */
  isNotedAgain?: boolean;
  /** Default: a failure that names the instance. */
  failure?(context: ActionContext<Input>, evidence: string): ActionFailedError;
  /** Name of a move after which the instance regains its former status. Null: its status is not checked. */
  statusNoun(trace: Trace): string | null;
}

/** The steps of a server move in Nova. */
export interface ServerMove<Trace extends RecordMark & JsonObject> extends Change<Trace> {
  /** Like `send`, but accepts also the record of a request of an earlier attempt. Waits for the end. */
  sendAndSettle(fresh: Trace, request: () => Promise<TakenRequest> | Promise<void>): Promise<boolean>;
  /**
   * Waits for the end of the traced move, and confirms it when required. Returns true.
   * @throws ActionFailedError with the evidence: status of the migration record, Nova's fault text, or the wrong host.
   */
  settle(trace: Trace): Promise<boolean>;
}

/** The move of `kind` that the action makes in `direction`. */
export function openMove<Input extends ServerInput, Trace extends RecordMark & JsonObject & { former_status?: string }>(
  context: ActionContext<Input>,
  direction: Direction,
  kind: MoveKind<Input, Trace>,
): ServerMove<Trace> {
  const observe = (trace: Trace) =>
    observeMove(context, context.input.resource_id, (record) => kind.isTraced(record, trace));
  const change = openChange(context, direction, {
    read: kind.read,
    judge: async (_context: ActionContext<Input>, trace) => kind.judge(await observe(trace), trace),
  });
  const failure = (evidence: string) => kind.failure?.(context, evidence) ?? moveFailure(context, evidence);

  /** True when the move has ended, undefined while it runs. */
  async function conclude(judgement: Judgement, trace: Trace): Promise<true | undefined> {
    if (judgement.kind === 'foreign') throw failure(judgement.evidence);
    if (judgement.kind === 'failed') {
      throw failure(await withFault(context, direction, kind.request(trace), judgement.evidence));
    }
    if (judgement.kind === 'verify') {
      await confirm(context, direction, async () => (await change.judge(trace)).kind !== 'verify');
    }
    return judgement.kind === 'applied' ? true : undefined;
  }

  async function settle(trace: Trace): Promise<boolean> {
    let idle = 0;
    await pollUntil(context, context.options.pollIntervalMs, async () => {
      const sighting = await observe(trace);
      await noteRecord(context, sighting.record, direction, kind);
      const judgement = kind.judge(sighting, trace);
      idle = judgement.kind === 'idle' ? idle + 1 : 0;
      if (idle >= idlePolls) throw failure(`Nova accepted the request but shows no ${kind.noun}`);
      return conclude(judgement, trace);
    });
    const noun = kind.statusNoun(trace);
    if (noun !== null && trace.former_status !== undefined) await awaitStatus(context, trace.former_status, noun);
    return true;
  }

  return {
    ...change,
    settle,
    async sendAndSettle(fresh, request) {
      const former = change.trace();
      const trace = former ? { ...fresh, after_migration_id: former.after_migration_id } : fresh;
      await change.send(trace, request);
      return settle(trace);
    },
  };
}

/** The evidence with Nova's text of the failure, which a server shows only in ERROR. */
async function withFault(
  context: ActionContext<ServerInput>,
  direction: Direction,
  request: MoveRequest | null,
  evidence: string,
): Promise<string> {
  if (request === null) return evidence;
  try {
    const known = resultOf(context, direction)?.request_id;
    // When the response to the request was lost, its id is the newest of its kind: a server runs one at a time.
    const requestId = typeof known === 'string' ? known : await newestRequest(context, request);
    const server = context.input.resource_id;
    const fault = requestId === null ? null : await context.cloud.compute.getInstanceActionFault(server, requestId);
    return fault === null || evidence.includes(fault) ? evidence : `${evidence}: ${fault}`;
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof OpenStackError)) throw error;
    context.log.warn({ action: context.uuid, err: error }, "Nova's words for the failure could not be read");
    return evidence;
  }
}

async function confirm(
  context: ActionContext<ServerInput>,
  direction: Direction,
  tookEffect: () => Promise<boolean>,
): Promise<void> {
  context.progress(0.9);
  await sendOnce(context, {
    slot: `${direction}_confirm`,
    intent: { operation: 'confirmResize' },
    send: () => context.cloud.compute.confirmResize(context.input.resource_id),
    tookEffect,
    mayHappenAnyway: true,
  });
}

async function noteRecord(
  context: ActionContext<ServerInput>,
  record: Migration | null,
  direction: Direction,
  { noted, isNotedAgain = false }: Pick<MoveKind<ServerInput, RecordMark>, 'noted' | 'isNotedAgain'>,
): Promise<void> {
  if (!record) return;
  const known = resultOf(context, direction);
  const news = noted?.(record) ?? {};
  const isSame = !isNotedAgain || Object.entries(news).every(([name, value]) => known?.[name] === value);
  if (known?.migration_id === record.id && isSame) return;
  await context.journal.result(
    { [direction]: { ...known, accepted: true, migration_id: record.id, ...news } },
    record.uuid,
  );
  context.progress(0.1);
}

/** Time limit for the former status after the confirmation: Watcher's 60 polls, 1 s apart. */
const formerStatusTime = { intervalMs: 1000, budgetMs: 60_000 };

/**
 * Waits until the instance has its status from before a move.
 * @param noun the move, for the failure
 * @throws ActionFailedError when it ends in another status, or was deleted
 */
export async function awaitStatus(context: ActionContext<ServerInput>, status: string, noun: string): Promise<void> {
  let seen: string | undefined;
  await pollWithin(context, formerStatusTime, async () => {
    seen = (await context.cloud.compute.getServer(context.input.resource_id))?.status;
    return seen === status || seen === undefined ? true : undefined;
  });
  if (seen !== status) throw moveFailure(context, `Instance is ${seen ?? 'gone'} after the ${noun}, was ${status}`);
}

/** A failure that names the instance. */
export function moveFailure(context: Pick<ActionContext<ServerInput>, 'input'>, evidence: string): ActionFailedError {
  return new ActionFailedError(`${evidence} (instance ${context.input.resource_id})`, {
    refusal: faultReason(evidence),
  });
}
