import type { JsonObject } from '#libs/domain';
import { OpenStackError } from '#libs/openstack';
import type { ActionContext, ProbeResult } from '#libs/plugin-kit';
import { ActionFailedError } from '../errors.ts';
import { resultOf } from './journal-slot.ts';
import { type MoveRequest, newestRequest, type Sighting } from './move-record.ts';
import { pollUntil, pollWithin } from './poll.ts';
import { sendOnce } from './send-once.ts';

/** All that a check a move of a server or volume can mean. Each kind of move knows some of these. */
type Judged = 'idle' | 'running' | 'verify' | 'applied' | 'failed' | 'foreign';

const probeResults: Record<Judged, ProbeResult> = {
  idle: 'not_started',
  running: 'in_progress',
  verify: 'in_progress',
  applied: 'applied',
  failed: 'failed',
  foreign: 'failed',
};

/** How an attempt stands. A request that the service accepted and then shows no trace of has failed. */
export function probeResult(kind: Judged, wasAccepted: boolean): ProbeResult {
  return kind === 'idle' && wasAccepted ? 'failed' : probeResults[kind];
}

/** Polls without any sign of an accepted move before it counts as lost. */
export const idlePolls = 12;

/** Which way an attempt goes: as planned, or back. */
export type Direction = 'forward' | 'backward';

/** Meaning of a sighting. `idle`: no trace of the move. `verify`: it waits for its confirmation. */
export type MoveJudgement =
  | { kind: 'idle' | 'running' | 'verify' | 'applied' }
  | { kind: 'failed' | 'foreign'; evidence: string };

/** A move of a server that was requested: a migration or a resize. */
interface RequestedMove {
  direction: Direction;
  /** Its name in the failure of one that Nova accepted and shows nothing of. */
  noun: string;
  /** Nova's name of the request, in os-instance-actions. */
  request: MoveRequest;
  observe(): Promise<Sighting>;
  judge(sighting: Sighting): MoveJudgement;
  /** Kept in the journal with the id of the record. */
  noted?(sighting: Sighting): JsonObject;
  failure(evidence: string): ActionFailedError;
}

type ServerContext = ActionContext<{ resource_id: string }>;

/**
 * Waits for the end of a move, and confirms it where that is called for.
 * @throws ActionFailedError with the evidence: status of the migration record, Nova's fault text, or the wrong place.
 */
export async function settleMove(context: ServerContext, move: RequestedMove): Promise<void> {
  let idle = 0;
  await pollUntil(context, context.options.pollIntervalMs, async () => {
    const sighting = await move.observe();
    await noteRecord(context, sighting, move);
    const judgement = move.judge(sighting);
    idle = judgement.kind === 'idle' ? idle + 1 : 0;
    if (idle >= idlePolls) throw move.failure(`Nova accepted the request but shows no ${move.noun}`);
    if (judgement.kind === 'failed') throw move.failure(await withFault(context, move, judgement.evidence));
    if (judgement.kind === 'foreign') throw move.failure(judgement.evidence);
    if (judgement.kind === 'verify') await confirm(context, move);
    return judgement.kind === 'applied' ? true : undefined;
  });
}

/** The evidence with Nova's own words for the failure, which a server that is not in ERROR does not show. */
async function withFault(context: ServerContext, move: RequestedMove, evidence: string): Promise<string> {
  const { compute } = context.cloud;
  const server = context.input.resource_id;
  try {
    const known = resultOf(context, move.direction)?.request_id;
    // Where the response to the request was lost, its id is that of the newest of its kind: a server does one at a
    // time.
    const requestId = typeof known === 'string' ? known : await newestRequest(context, move.request);
    const fault = requestId === null ? null : await compute.getInstanceActionFault(server, requestId);
    return fault === null || evidence.includes(fault) ? evidence : `${evidence}: ${fault}`;
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof OpenStackError)) throw error;
    context.log.warn({ action: context.uuid, err: error }, "Nova's words for the failure could not be read");
    return evidence;
  }
}

async function confirm(context: ServerContext, { direction, observe, judge }: RequestedMove): Promise<void> {
  context.progress(0.9);
  await sendOnce(context, {
    slot: `${direction}_confirm`,
    intent: { operation: 'confirmResize' },
    send: () => context.cloud.compute.confirmResize(context.input.resource_id),
    tookEffect: async () => judge(await observe()).kind !== 'verify',
    mayHappenAnyway: true,
  });
}

async function noteRecord(
  context: ServerContext,
  sighting: Sighting,
  { direction, noted }: RequestedMove,
): Promise<void> {
  const { record } = sighting;
  const known = resultOf(context, direction);
  if (!record || known?.migration_id === record.id) return;
  const entry = { ...known, accepted: true, migration_id: record.id, ...noted?.(sighting) };
  await context.journal.result({ [direction]: entry }, record.uuid);
  context.progress(0.1);
}

/** Wait for the former status after the confirmation: Watcher's 60 polls, 1 s apart. */
const formerStatusTime = { intervalMs: 1000, budgetMs: 60_000 };

/**
 * Waits until the instance has the status that it had before a move.
 * @param noun the move, for the failure
 * @throws ActionFailedError when it ends in another status, or was deleted
 */
export async function awaitStatus(context: ServerContext, status: string, noun: string): Promise<void> {
  let seen: string | undefined;
  await pollWithin(context, formerStatusTime, async () => {
    seen = (await context.cloud.compute.getServer(context.input.resource_id))?.status;
    return seen === status || seen === undefined ? true : undefined;
  });
  if (seen !== status) throw moveFailure(context, `Instance is ${seen ?? 'gone'} after the ${noun}, was ${status}`);
}

/** A failure that names the instance. */
export function moveFailure(context: Pick<ServerContext, 'input'>, evidence: string): ActionFailedError {
  return new ActionFailedError(`${evidence} (instance ${context.input.resource_id})`);
}
