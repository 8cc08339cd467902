import { type Clock, type Logger, messageOf } from '#libs/domain';
import type { HistoryWriter, Sample } from '#libs/history';
import type { CloudState } from '../cloud/entities.ts';
import type { SimulatedClock } from '../simulated-clock.ts';
import { backFillAges } from './back-fill.ts';
import { collectSamples } from './collect-samples.ts';

/** Writes the load of the simulated cloud to the history store. */
export interface Sampler {
  /** Writes the past, so that averages over the last hour exist at once. Answers the number of samples. */
  backFill(windowSeconds: number): Promise<number>;
  /** Writes one moment: now. Answers the number of samples. */
  sampleNow(): Promise<number>;
  /** Samples every `sampleSeconds` of wall-clock time until `stop`; a moment is left out while the last one is being written. */
  start(): void;
  /** Ends sampling and waits for the write under way. */
  stop(): Promise<void>;
}

/** Least seconds between two samples of values that do not change by themselves. */
const constantsEverySeconds = 60;
const writeChunk = 20_000;

/**
 * `sampleBudget` (default 250,000) bounds the number of samples of a back-fill; `extraMetrics` (default false) adds sensors of
 * hosts and the L3 cache of instances.
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
      logger.warn({ error: messageOf(error) }, 'samples were not stored');
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
