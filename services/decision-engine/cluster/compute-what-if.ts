import { type ComputeSnapshot, type NovaFilter, needsTraits } from '#libs/cluster-model';
import { type Logger, messageOf, nearestName } from '#libs/domain';
import {
  type ClusterWhatIfQuestion,
  type ClusterWhatIfResponse,
  isRefusal,
  type RpcRefusal,
  refuse,
  refuseBecause,
} from '#libs/messaging';
import type { Cloud, FlavorDetails } from '#libs/openstack';
import { createSemaphore, type Semaphore } from '#libs/service-kit';
import type { Store } from '#libs/store';
import {
  computeWhatIf,
  type ReserveLeft,
  runInTurns,
  type WhatIfFlavor,
  type WhatIfQuestion,
  type WhatIfResult,
} from '#libs/what-if';
import type { ComputePlanDeps } from '../audit-runner/compute-plan.ts';
import { timeSinceChange } from '../audit-runner/time-since-change.ts';
import { freshSince } from '../model/fresh-enough.ts';

/** Reads of the cloud for what-if questions. */
export interface WhatIfCloud {
  compute: Pick<Cloud['compute'], 'listFlavors'>;
  placement: Pick<Cloud['placement'], 'getTraits'>;
}

export interface WhatIfDeps extends Pick<ComputePlanDeps, 'model' | 'clock' | 'options'> {
  store: Pick<Store, 'db'>;
  cloud: WhatIfCloud;
  /** Enabled filters of Nova's scheduler. Default all. */
  novaFilters?: readonly NovaFilter[];
  /** Shared with previews. */
  slots: Semaphore;
  requester?: string;
  /** Ends the computation when the process stops or the client does not wait any more. */
  signal: AbortSignal;
  logger: Logger;
}

const limits = { computeMs: 120_000, readMs: 20_000, moves: 1000, hosts: 1000, names: 100, traitReads: 16 };

/** Returns `cluster.what_if`. Reads the cloud, changes nothing and stores nothing. */
export function respondWhatIf(
  question: ClusterWhatIfQuestion,
  deps: WhatIfDeps,
): Promise<ClusterWhatIfResponse | RpcRefusal> {
  return deps.slots.run(() => compute(question, deps), deps.signal, deps.requester);
}

async function compute(question: ClusterWhatIfQuestion, deps: WhatIfDeps): Promise<ClusterWhatIfResponse | RpcRefusal> {
  const { model, options, clock, store } = deps;
  const sinceMs = await timeSinceChange(store.db);
  const read = await freshSince(model, { maxAgeMs: options.modelMaxAgeMs, sinceMs, clock }).catch((error: unknown) =>
    refuse('model_not_available', error),
  );
  if (isRefusal(read)) return read;
  const ready = question.question === 'place' ? await withFlavor(question, read, deps) : { snapshot: read, question };
  if (isRefusal(ready)) return ready;
  const late = AbortSignal.timeout(limits.computeMs);
  try {
    const result = await runInTurns(
      computeWhatIf(ready.snapshot, ready.question),
      AbortSignal.any([deps.signal, late]),
    );
    return bodyOf(question, ready.snapshot, result);
  } catch (error) {
    deps.signal.throwIfAborted();
    if (late.aborted) return refuse('time_limit', `the computation took longer than ${limits.computeMs / 1000} s`);
    return refuseBecause(error, 'model_not_available');
  }
}

type Place = Extract<ClusterWhatIfQuestion, { question: 'place' }>;
interface Ready {
  snapshot: ComputeSnapshot;
  question: WhatIfQuestion;
}

async function withFlavor(question: Place, snapshot: ComputeSnapshot, deps: WhatIfDeps): Promise<Ready | RpcRefusal> {
  const flavor = await findFlavor(question, snapshot, deps);
  if (isRefusal(flavor)) return flavor;
  const isJudged =
    !needsTraits({ flavorExtraSpecs: { ...flavor.extraSpecs } }) || snapshot.instanceInfo.some(needsTraits);
  return {
    snapshot: isJudged ? snapshot : await withTraits(snapshot, deps),
    question: { question: 'place', flavor, count: question.count },
  };
}

/** The flavor of Nova, or else the one that instances have. */
async function findFlavor(
  { flavor: wanted, zone, project_id: projectId, boot_from_volume: isFromVolume }: Place,
  { instances, instanceInfo }: ComputeSnapshot,
  { cloud, novaFilters, signal, logger }: WhatIfDeps,
): Promise<WhatIfFlavor | RpcRefusal> {
  const rest = {
    ...{ projectId, zone: zone ?? '' },
    hasCapabilityFilter: novaFilters === undefined || novaFilters.includes('ComputeCapabilitiesFilter'),
  };
  const call = { signal: AbortSignal.any([signal, AbortSignal.timeout(limits.readMs)]) };
  const listed = await cloud.compute.listFlavors(call).catch((error: unknown): FlavorDetails[] => {
    signal.throwIfAborted();
    logger.warn({ error: messageOf(error) }, 'flavors could not be listed; those of instances are used');
    return [];
  });
  const found = listed.find(({ id, name }) => name === wanted || id === wanted);
  if (found !== undefined) {
    const { name, vcpus, ramMb: memory, diskGb, ephemeralGb, swapMb, extraSpecs } = found;
    const disk = (isFromVolume ? 0 : diskGb) + ephemeralGb + Math.ceil(swapMb / 1024);
    return { ...rest, ...{ name, vcpus, memory, disk, extraSpecs } };
  }
  const row = instanceInfo.findIndex(({ flavorName }) => flavorName === wanted);
  const info = instanceInfo[row];
  if (info === undefined || isFromVolume) {
    const names = new Set([...listed.map(({ name }) => name), ...instanceInfo.flatMap((one) => one.flavorName ?? [])]);
    const nearest = nearestName(wanted, names);
    return refuse(
      'flavor_not_found',
      `flavor: there is no flavor ${wanted}${nearest === null ? '' : `; did you mean ${nearest}?`}`,
    );
  }
  return {
    ...rest,
    ...{ name: wanted, vcpus: instances.vcpus[row] as number, memory: instances.memory[row] as number },
    disk: (instances.disk[row] as number) + (info.sharedDiskGb ?? 0),
    extraSpecs: info.flavorExtraSpecs,
  };
}

/** The snapshot with the traits of its hosts, which it has only where some instance needs them. */
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

const rounded = (percent: number) => Math.round(percent * 10) / 10;

function reserveBody({ hosts, covered, notCovered, unknown, largest }: ReserveLeft) {
  return { hosts, covered, not_covered: notCovered.slice(0, limits.names), unknown, largest };
}

function bodyOf(
  question: ClusterWhatIfQuestion,
  snapshot: ComputeSnapshot,
  result: WhatIfResult,
): ClusterWhatIfResponse {
  const { verdict, text, because, number, moves, obstacles, reserve, hosts, notes } = result;
  const fullHost = (full: WhatIfResult['fullest'][number]['before']) =>
    full && { ...full, percent: rounded(full.percent) };
  return {
    question: question.question,
    model_taken_at: new Date(snapshot.takenAtMs).toISOString(),
    ...{ verdict, text, because, number, is_exact: result.isExact },
    moves_needed: moves.length,
    moves_memory: moves.reduce((sum, { memory }) => sum + memory, 0),
    moves: moves.slice(0, limits.moves),
    left: question.question === 'place' ? 0 : obstacles.length,
    obstacles: obstacles.slice(0, limits.moves),
    reserve: { before: reserveBody(reserve.before), after: reserve.after && reserveBody(reserve.after) },
    fullest: result.fullest.map(({ resource, before, after }) => ({
      resource: resource === 'dedicatedCpus' ? 'dedicated_cpus' : resource,
      before: fullHost(before),
      after: fullHost(after),
    })),
    places: result.places.map(({ isExact, ...places }) => ({ ...places, is_exact: isExact })),
    hosts: hosts.slice(0, limits.hosts),
    notes,
  };
}
