import { type Clock, type Logger, messageOf } from '#libs/domain';
import type { HistoryWriter, Sample } from '#libs/history';
import type { CloudState, SimulatedHost } from '../cloud/entities.ts';
import type { SimulatedClock } from '../simulated-clock.ts';
import { extraSamples } from './extra-metrics.ts';
import { hostLoad, serverCpuPercent, serverRamMb } from './host-load.ts';

/** Writes the load of the simulated cloud to the history store. */
export interface Sampler {
  /** Writes past samples, so that averages over the last hour exist from the start. Returns the number of samples. */
  backFill(windowSeconds: number): Promise<number>;
  /** Writes samples of the current time. Returns their number. */
  sampleNow(): Promise<number>;
  /**
   * Samples every `sampleSeconds` of wall-clock time until `stop`. Skips a moment while the previous one is being
   * written.
   */
  start(): void;
  /** Ends sampling and waits for the running write. */
  stop(): Promise<void>;
}

/** Minimum seconds between two samples of values that only operations change. */
const constantsEverySeconds = 60;
const writeChunk = 20_000;
/** Number of moments of a back-fill. Averages need no more, and samples dominate the start time of a small cloud. */
const mostMoments = 60;

/**
 * `sampleBudget` (default 250,000) bounds the number of samples of a back-fill. `extraMetrics` (default false) adds
 * sensors of hosts and the L3 cache of instances.
 */
export function createSampler(
  deps: { state: CloudState; writer: HistoryWriter; clock: Clock; simulatedClock: SimulatedClock; logger: Logger },
  options: { seed: number; sampleSeconds: number; sampleBudget?: number; extraMetrics?: boolean },
): Sampler {
  const { state, writer, clock, simulatedClock, logger } = deps;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<unknown> | null = null;
  let lastConstantsAt = 0;
  const withExtras = options.extraMetrics ?? false;

  async function write(samples: Sample[]): Promise<void> {
    for (let start = 0; start < samples.length; start += writeChunk) {
      await writer.write(samples.slice(start, start + writeChunk));
    }
  }
  async function sampleAt(at: number): Promise<number> {
    const withConstants = at - lastConstantsAt >= constantsEverySeconds * 1000;
    if (withConstants) lastConstantsAt = at;
    const second = simulatedClock.secondsAt(at);
    const samples = collectSamples(state, { second, at, seed: options.seed, withConstants, withExtras });
    await write(samples);
    return samples.length;
  }
  async function sampleGuarded(): Promise<void> {
    try {
      await sampleAt(clock.now());
    } catch (error) {
      logger.info({ error: messageOf(error) }, 'cannot store samples');
    }
  }
  return {
    async backFill(windowSeconds) {
      const perMoment = (withExtras ? 3 : 2) * state.servers.size + (withExtras ? 6 : 2) * state.hosts.size;
      const now = clock.now();
      let written = 0;
      const ages = backFillAges({
        windowSeconds,
        stepSeconds: options.sampleSeconds,
        perMoment,
        sampleBudget: options.sampleBudget ?? 250_000,
      });
      let pending: Sample[] = [];
      for (const age of ages) {
        const at = now - age * 1000;
        const second = simulatedClock.secondsAt(at);
        pending = pending.concat(
          collectSamples(state, { second, at, seed: options.seed, withConstants: false, withExtras }),
        );
        if (pending.length < writeChunk) continue;
        await write(pending);
        written += pending.length;
        pending = [];
      }
      await write(pending);
      return written + pending.length;
    },
    sampleNow: () => sampleAt(clock.now()),
    start() {
      timer = setInterval(() => {
        if (writing !== null) return;
        writing = sampleGuarded().finally(() => {
          writing = null;
        });
      }, options.sampleSeconds * 1000);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      await writing;
    },
  };
}

/**
 * Ages, in seconds and oldest first, of the moments of a back-fill. They become denser towards the present (age =
 * window x (i/n)^2, with a distance of at least `stepSeconds`). At most 60 moments, and at most `sampleBudget /
 * perMoment` (at least 4), which limits the volume for clouds of any size.
 */
export function backFillAges(options: {
  windowSeconds: number;
  stepSeconds: number;
  perMoment: number;
  sampleBudget: number;
}): number[] {
  const { windowSeconds, stepSeconds, perMoment, sampleBudget } = options;
  if (windowSeconds <= 0) return [];
  const most = Math.max(4, Math.floor(sampleBudget / Math.max(1, perMoment)));
  const count = Math.max(1, Math.min(most, mostMoments, Math.floor(windowSeconds / stepSeconds)));
  const ages = new Set<number>();
  for (let index = 1; index <= count; index++) {
    const age = Math.max(index * stepSeconds, windowSeconds * (index / count) ** 2);
    ages.add(Math.min(windowSeconds, age));
  }
  return [...ages].sort((a, b) => b - a);
}

/**
 * All samples of one time. Omits servers and hosts without a sample in the recording. `second` is the simulated time of
 * the values, `at` the stored wall-clock time. `withConstants` adds values that only a resize changes (allocated
 * memory, root disk), `withExtras` the values of sensors and cache counters.
 */
export function collectSamples(
  state: CloudState,
  moment: { second: number; at: number; seed: number; withConstants: boolean; withExtras: boolean },
): Sample[] {
  const { second, at, seed } = moment;
  const samples: Sample[] = [];
  for (const server of state.servers.values()) {
    const resource = server.uuid;
    const { recorded } = server;
    if (!Number.isNaN(recorded?.cpuPercent(second)))
      samples.push({ metric: 'instance_cpu_usage', resource, value: serverCpuPercent(server, second, seed), at });
    if (!Number.isNaN(recorded?.memoryPercent(second)))
      samples.push({ metric: 'instance_ram_usage', resource, value: serverRamMb(server, second, seed), at });
    if (!moment.withConstants) continue;
    samples.push({ metric: 'instance_ram_allocated', resource, value: server.flavor.ramMb, at });
    samples.push({ metric: 'instance_root_disk_size', resource, value: server.flavor.diskGb, at });
  }
  for (const host of state.hosts.values()) {
    if (host.alive && host.powered) samples.push(...hostSamples(host, moment));
  }
  return samples;
}

function hostSamples(host: SimulatedHost, moment: Parameters<typeof collectSamples>[1]): Sample[] {
  const { second, at, seed, withExtras } = moment;
  const { cpuPercent, ramKib } = hostLoad(host, second, seed);
  const resource = host.name;
  const samples: Sample[] = [];
  if (!Number.isNaN(host.recorded?.cpuPercent(second)))
    samples.push({ metric: 'host_cpu_usage', resource, value: cpuPercent, at });
  if (!Number.isNaN(host.recorded?.ramMb(second)))
    samples.push({ metric: 'host_ram_usage', resource, value: ramKib, at });
  return withExtras ? [...samples, ...extraSamples(host, cpuPercent, moment)] : samples;
}
