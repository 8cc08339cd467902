import { type ComputeSnapshot, type NovaFilter, needsTraits, withRules } from '#libs/cluster-model';
import { type Logger, messageOf } from '#libs/domain';
import {
  type ClusterWhatIfRequest,
  type ClusterWhatIfResponse,
  isRefusal,
  type RpcRefusal,
  refuse,
  refuseBecause,
} from '#libs/messaging';
import type { Cloud, FlavorDetails } from '#libs/openstack';
import { createSemaphore, type Semaphore } from '#libs/service-kit';
import { enabledRules, type Store } from '#libs/store';
import { computeWhatIf, runInTurns, type WhatIfQuestion } from '#libs/what-if';
import type { ComputePlanDeps } from '../audit-runner/plan-task.ts';
import { timeSinceChange } from '../audit-runner/time-since-change.ts';
import { freshSince } from '../model/fresh-enough.ts';
import { chooseFlavor } from './choose-flavor.ts';
import { whatIfBody } from './what-if-body.ts';

/** Reads of the cloud for what-if questions. */
export interface WhatIfCloud {
  compute: Pick<Cloud['compute'], 'listFlavors'>;
  placement: Pick<Cloud['placement'], 'getTraits'>;
}

export interface WhatIfDeps extends Pick<ComputePlanDeps, 'model' | 'clock' | 'options'> {
  store: Pick<Store, 'db'>;
  cloud: WhatIfCloud;
  /** Enabled filters of Nova's scheduler. Default: all. */
  novaFilters?: readonly NovaFilter[];
  /** Shared with previews. */
  slots: Semaphore;
  requester?: string;
  /** Ends the computation when the process stops or the client no longer waits. */
  signal: AbortSignal;
  logger: Logger;
}

const limits = { computeMs: 120_000, readMs: 20_000, traitReads: 16 };

/** Returns `cluster.what_if`. Reads the cloud and changes nothing. */
export function respondWhatIf(
  question: ClusterWhatIfRequest,
  deps: WhatIfDeps,
): Promise<ClusterWhatIfResponse | RpcRefusal> {
  return deps.slots.run(() => compute(question, deps), deps.signal, deps.requester);
}

async function compute(question: ClusterWhatIfRequest, deps: WhatIfDeps): Promise<ClusterWhatIfResponse | RpcRefusal> {
  const { model, options, clock, store } = deps;
  const sinceMs = await timeSinceChange(store.db);
  const read = await freshSince(model, { maxAgeMs: options.modelMaxAgeMs, sinceMs, clock }).catch((error: unknown) =>
    refuse('model_not_available', error),
  );
  if (isRefusal(read)) return read;
  const ready = await readyFor(question, read, deps);
  if (isRefusal(ready)) return ready;
  const late = AbortSignal.timeout(limits.computeMs);
  try {
    const result = await runInTurns(
      computeWhatIf(ready.snapshot, ready.question),
      AbortSignal.any([deps.signal, late]),
    );
    return whatIfBody(question, ready.snapshot, result);
  } catch (error) {
    deps.signal.throwIfAborted();
    if (late.aborted) return refuse('time_limit', `the computation took longer than ${limits.computeMs / 1000} s`);
    return refuseBecause(error, 'model_not_available');
  }
}

type Place = Extract<ClusterWhatIfRequest, { question: 'place' }>;
interface Ready {
  snapshot: ComputeSnapshot;
  question: WhatIfQuestion;
}

async function readyFor(
  question: ClusterWhatIfRequest,
  snapshot: ComputeSnapshot,
  deps: WhatIfDeps,
): Promise<Ready | RpcRefusal> {
  switch (question.question) {
    case 'place':
      return withFlavor(question, snapshot, deps);
    case 'move':
      // The rules of the operator apply, as in audits.
      return { snapshot: withRules(snapshot, await enabledRules(deps.store.db)).snapshot, question };
    default:
      return { snapshot, question };
  }
}

async function withFlavor(question: Place, snapshot: ComputeSnapshot, deps: WhatIfDeps): Promise<Ready | RpcRefusal> {
  const listed = await listFlavors(deps);
  const flavor = chooseFlavor(question, { snapshot, listed, novaFilters: deps.novaFilters });
  if (isRefusal(flavor)) return flavor;
  const isJudged =
    !needsTraits({ flavorExtraSpecs: { ...flavor.extraSpecs } }) || snapshot.instanceInfo.some(needsTraits);
  return {
    snapshot: isJudged ? snapshot : await withTraits(snapshot, deps),
    question: { question: 'place', flavor, count: question.count },
  };
}

/** The flavors of Nova. Empty when they cannot be listed. */
async function listFlavors({ cloud, signal, logger }: WhatIfDeps): Promise<FlavorDetails[]> {
  const call = { signal: AbortSignal.any([signal, AbortSignal.timeout(limits.readMs)]) };
  return await cloud.compute.listFlavors(call).catch((error: unknown): FlavorDetails[] => {
    signal.throwIfAborted();
    logger.warn({ error: messageOf(error) }, 'cannot list flavors, using those of instances');
    return [];
  });
}

/** The snapshot with the traits of its hosts. Reads them only when an instance needs them. */
async function withTraits(snapshot: ComputeSnapshot, { cloud, signal }: WhatIfDeps): Promise<ComputeSnapshot> {
  const reads = createSemaphore(limits.traitReads);
  const call = { signal: AbortSignal.any([signal, AbortSignal.timeout(limits.readMs)]) };
  const read = await Promise.allSettled(
    snapshot.hostInfo.map(({ uuid }) => reads.run(() => cloud.placement.getTraits(uuid, call), call.signal)),
  );
  signal.throwIfAborted();
  const missing = read.filter(({ status }) => status === 'rejected').length;
  const hostInfo = snapshot.hostInfo.map((info, row) => {
    const one = read[row];
    return one?.status === 'fulfilled' ? { ...info, traits: one.value } : info;
  });
  if (missing === 0) return { ...snapshot, hostInfo };
  return { ...snapshot, hostInfo, complete: false, gaps: [...snapshot.gaps, `no traits of ${missing} hosts`] };
}
