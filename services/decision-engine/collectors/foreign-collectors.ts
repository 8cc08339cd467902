import { type Clock, type Logger, messageOf, VigilError } from '#libs/domain';
import type { ModelInputs, PluginRegistry } from '#libs/plugin-kit';
import { untilAborted } from '#libs/service-kit';
import { CollectorFailedError } from './errors.ts';

/** Returns the input of a model. Reads the cloud through the given ports. */
export type Collector<Input> = (readCloud: () => Promise<Input>, signal?: AbortSignal) => Promise<Input>;

/** The collectors of plugins, by the model whose built-in collector they replace. */
export type ForeignCollectors = { [Model in keyof ModelInputs]?: Collector<ModelInputs[Model]> };

interface Deps {
  clock: Clock;
  logger: Logger;
  /** The environment of the process. */
  env: Readonly<Record<string, string | undefined>>;
  /** Time limit of a collection, in milliseconds. Default: ten minutes. */
  timeLimitMs?: number;
}

const defaultTimeLimitMs = 600_000;

/** Lists that the builder of each model reads. A plugin must return all of them. */
const listsOf: Record<keyof ModelInputs, readonly string[]> = {
  compute: ['hypervisors', 'services', 'servers', 'aggregates', 'serverGroups'],
  storage: ['services', 'pools', 'volumes', 'types', 'snapshots'],
  baremetal: ['nodes'],
};

/** Wraps the collectors of the registry with a time limit and errors that name the plugin. */
export function foreignCollectors(registry: PluginRegistry, deps: Deps): ForeignCollectors {
  return {
    compute: foreign('compute', registry, deps),
    storage: foreign('storage', registry, deps),
    baremetal: foreign('baremetal', registry, deps),
  };
}

function foreign<Model extends keyof ModelInputs>(
  model: Model,
  registry: PluginRegistry,
  { timeLimitMs = defaultTimeLimitMs, ...deps }: Deps,
): Collector<ModelInputs[Model]> | undefined {
  const plugin = registry.collector(model);
  if (!plugin) return undefined;
  return async (readCloud, stopping) => {
    const limit = AbortSignal.timeout(timeLimitMs);
    const signal = stopping ? AbortSignal.any([stopping, limit]) : limit;
    try {
      const input = await untilAborted(plugin.collect({ ...deps, readCloud, signal }), signal);
      refuseMalformed(model, input);
      return input;
    } catch (error) {
      stopping?.throwIfAborted();
      // A refusal by the cloud is no fault of the plugin, and may be temporary.
      if (error instanceof VigilError) throw error;
      const reason = limit.aborted ? `no response within ${timeLimitMs / 1000} s` : messageOf(error);
      throw new CollectorFailedError(model, reason, { cause: error });
    }
  };
}

function refuseMalformed(model: keyof ModelInputs, input: unknown): void {
  const response = (input ?? {}) as Record<string, unknown>;
  const wrong = listsOf[model].filter((name) => !Array.isArray(response[name]));
  if (!Number.isFinite(response.takenAtMs)) wrong.push('takenAtMs');
  if (wrong.length > 0) throw new CollectorFailedError(model, `its result has no usable ${wrong.join(', ')}`);
}

/** Reads the cloud through the collector of a plugin, or the built-in one, and builds the model. */
export async function collectThrough<Input, Snapshot>(
  collector: Collector<Input> | undefined,
  parts: { read: () => Promise<Input>; build: (input: Input) => Snapshot; signal?: AbortSignal },
): Promise<Snapshot> {
  const { read, build, signal } = parts;
  if (!collector) return build(await read());
  const input = await collector(read, signal);
  try {
    return build(input);
  } catch (error) {
    throw new CollectorFailedError('cloud', `no model can be built of its result: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
