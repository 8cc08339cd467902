import { type Clock, type IdSource, type Logger, messageOf, OperatorError } from '#libs/domain';
import type { HistoryWriter } from '#libs/history';
import type { RecordedLoad, WorldFile } from '#libs/world-file';
import { createApp } from './create-app.ts';
import { createSimulation, type Simulation, type SimulationOptions } from './create-simulation.ts';
import { createSampler, type Sampler } from './load/sampler.ts';

export interface StartSimulatorOptions extends SimulationOptions {
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 0, for a free one. */
  port?: number;
  publicUrl?: string;
  /** Vigil's API, for the service catalogue. */
  optimizerUrl?: string;
  /** Default 5, or 30 for more than 2,000 servers. */
  sampleSeconds?: number;
  /** Also samples sensors of hosts and the L3 cache of instances. Default false. */
  extraMetrics?: boolean;
  /** Default 60. */
  backFillMinutes?: number;
}

/** A running simulated cloud. */
export interface RunningSimulator {
  /** Origin such as `http://127.0.0.1:9390`. */
  url: string;
  /** `OS_AUTH_URL` for its clients. */
  authUrl: string;
  simulation: Simulation;
  stop(): Promise<void>;
}

/** Interval at which simulated time advances without requests, milliseconds. */
const advanceEveryMs = 50;
const backFillRetryMs = 5_000;
const largeWorld = 2_000;

/**
 * Serves a simulated cloud, writes past history and continues sampling. Without a writer it has no history. @throws
 * OperatorError when the port is unavailable
 */
export async function startSimulator(
  deps: {
    world: WorldFile;
    load?: RecordedLoad | null;
    writer: HistoryWriter | null;
    clock: Clock;
    newUuid: IdSource;
    logger: Logger;
  },
  options: StartSimulatorOptions = {},
): Promise<RunningSimulator> {
  const { logger, writer } = deps;
  const simulation = createSimulation(deps, options);
  const sampleSeconds = options.sampleSeconds ?? (simulation.state.servers.size > largeWorld ? 30 : 5);
  const samplerDeps = { state: simulation.state, clock: deps.clock, simulatedClock: simulation.simulatedClock, logger };
  const sampler =
    writer === null
      ? null
      : createSampler(
          { ...samplerDeps, writer },
          { seed: simulation.seed, sampleSeconds, extraMetrics: options.extraMetrics },
        );
  const app = await createApp({ simulation, sampler, logger }, options);
  const url = await listen(app, options);
  const ticking = setInterval(() => simulation.progression.advance(), advanceEveryMs);
  ticking.unref();
  const history = sampler === null ? null : await startHistory(sampler, options.backFillMinutes ?? 60, logger);
  return {
    url,
    authUrl: `${url}/identity/v3`,
    simulation,
    async stop() {
      clearInterval(ticking);
      history?.cancel();
      await sampler?.stop();
      await app.close();
    },
  };
}

async function listen(
  app: { listen(address: { host: string; port: number }): Promise<string> },
  options: StartSimulatorOptions,
): Promise<string> {
  const address = { host: options.host ?? '127.0.0.1', port: options.port ?? 0 };
  try {
    return await app.listen(address);
  } catch (error) {
    const inUse = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    const reason = inUse ? `port ${address.port} on ${address.host} is in use` : messageOf(error);
    throw new OperatorError(`the simulated cloud cannot listen: ${reason}`, { cause: error });
  }
}

/** Back-fills once, as soon as the history store is available, then takes samples. */
async function startHistory(sampler: Sampler, minutes: number, logger: Logger): Promise<{ cancel(): void }> {
  let timer: NodeJS.Timeout | undefined;
  let cancelled = false;
  async function attempt(): Promise<void> {
    try {
      const samples = await sampler.backFill(minutes * 60);
      logger.info({ samples, minutes }, 'history backfilled');
      await sampler.sampleNow();
      if (!cancelled) sampler.start();
    } catch (error) {
      logger.info({ error: messageOf(error) }, 'cannot write history, retrying');
      if (!cancelled) timer = setTimeout(() => void attempt(), backFillRetryMs);
    }
  }
  await attempt();
  return {
    cancel() {
      cancelled = true;
      clearTimeout(timer);
    },
  };
}
