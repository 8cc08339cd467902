import {
  type ClusterPastRequest,
  type ClusterPastResponse,
  clusterPastDays,
  isRefusal,
  type RpcRefusal,
  refuse,
} from '#libs/messaging';
import { createRecentMap, createSemaphore } from '#libs/service-kit';
import { latestModel } from '../../model/fresh-enough.ts';
import { type Loads, measureLoads } from '../../model/measure-loads.ts';
import type { ClusterDeps } from '../describe-cluster.ts';
import { createMoveBook, type PastCloud } from './move-book.ts';
import { type Moment, type Present, pastBody } from './past-body.ts';

const dayMs = 86_400_000;
const expected = `a time in the last ${clusterPastDays} days is expected`;
/** Time for which the same current state is used to rebuild past times. */
const presentMs = 60_000;
const load = { metrics: ['host_cpu_usage', 'host_ram_usage'], periodSeconds: 300 } as const;
/** Longest delay of samples. Loads of later times are read again. */
const settleMs = 120_000;
/** Number of cached times with their loads, and concurrent requests of the data source. */
const [keptLoads, parallel] = [400, 4];

/**
 * Creates the handler of `cluster.past`. The model and the moves are read once a minute for all times. The loads of a
 * time are read once.
 */
export function createPastReader(deps: ClusterDeps & { cloud: PastCloud }) {
  const { clock, cloud, model, logger } = deps;
  const book = createMoveBook(cloud.compute);
  const slots = createSemaphore(parallel);
  const kept = createRecentMap<number, Promise<Loads>>(keptLoads);
  let present: { sinceMs: number; readAtMs: number; value: Promise<Present> } | null = null;

  function loadsAt(endMs: number): Promise<Loads> {
    const known = kept.get(endMs);
    if (known) return known;
    const reading = slots.run(() => measureLoads({ ...load, endMs }, deps));
    kept.set(endMs, reading);
    const forget = () => void kept.delete(endMs);
    reading.then(({ measurement }) => {
      if (measurement.error !== null || endMs + settleMs > clock.now()) forget();
    }, forget);
    return reading;
  }

  const momentAt = async (atMs: number): Promise<Moment> => ({ atMs, loads: await loadsAt(atMs) });

  function presentSince(sinceMs: number): Promise<Present> {
    const now = clock.now();
    if (present && present.sinceMs <= sinceMs && now - present.readAtMs < presentMs) return present.value;
    const made = { sinceMs, readAtMs: now, value: readPresent(sinceMs) };
    present = made;
    made.value.catch(() => {
      if (present === made) present = null;
    });
    return made.value;
  }

  /** The moves are read after the model, so they include every move that the model contains. */
  async function readPresent(sinceMs: number): Promise<Present> {
    const snapshot = await latestModel(model, presentMs, logger);
    await book.read(sinceMs, clock.now());
    const loads = await measureLoads(load, deps);
    return { snapshot, moves: book.list(), loads };
  }

  return async ({ at_ms: atMs, to_ms: toMs }: ClusterPastRequest): Promise<ClusterPastResponse | RpcRefusal> => {
    const earliestMs = clock.now() - clusterPastDays * dayMs;
    // The API has checked the times by the clock of its host.
    const isWithin = (ms: number) => ms >= earliestMs - presentMs && ms <= clock.now() + presentMs;
    if (!isWithin(atMs)) return refuse('invalid_input', `at: ${expected}`);
    if (toMs !== undefined && !(isWithin(toMs) && toMs >= atMs))
      return refuse('invalid_input', `to: ${expected}, not before "at"`);
    // Reads a whole day, so that earlier times of that day need no further read.
    const sinceMs = Math.floor(atMs / dayMs) * dayMs;
    const [now, at, to] = await Promise.all([
      presentSince(sinceMs).catch((error: unknown) => refuse('model_not_available', error)),
      momentAt(atMs),
      toMs === undefined ? null : momentAt(toMs),
    ]);
    return isRefusal(now) ? now : pastBody(now, at, to, earliestMs);
  };
}
