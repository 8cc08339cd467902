import { type Clock, type Logger, messageOf } from '#libs/domain';
import { withTimeLimit } from '#libs/service-kit';
import { type HistoryReader, HistoryRefusedError, HistoryUnavailableError } from '../history-port.ts';
import { type HistoryMetrics, observedCall } from '../observed-call.ts';
import { sourceLimitMs } from '../source-limit.ts';

/** A source of a plugin. */
export interface PluginSource {
  name: string;
  /** Must not make an external call yet. */
  open(context: PluginSourceContext): HistoryReader;
}

interface PluginSourceContext {
  clock: Clock;
  logger: Logger;
  /** The environment of the process. */
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Adapts the source of a plugin. Its errors, time-outs and malformed results become HistoryUnavailableError, so the
 * next source is queried and this one pauses.
 */
export function openPluginSource(
  source: PluginSource,
  context: PluginSourceContext,
  options: { metrics?: HistoryMetrics; limitMs?: number } = {},
): HistoryReader {
  const { name } = source;
  const { metrics, limitMs = sourceLimitMs } = options;
  let reader: HistoryReader;
  try {
    reader = source.open(context);
  } catch (error) {
    context.logger.warn({ source: name, err: error }, 'cannot open data source');
    return absentSource(name, `cannot be opened: ${messageOf(error)}`);
  }

  async function call<T>(operation: string, request: () => Promise<T>, isResponse: (result: T) => boolean): Promise<T> {
    try {
      const result = await observedCall(metrics, name, operation, () => within(limitMs, request));
      if (isResponse(result)) return result;
    } catch (error) {
      if (error instanceof HistoryRefusedError || error instanceof HistoryUnavailableError) throw error;
      throw new HistoryUnavailableError(name, messageOf(error), { cause: error });
    }
    throw new HistoryUnavailableError(name, `invalid result of ${operation}`);
  }

  const { realNames } = reader;
  return {
    name,
    aggregate: (query) => call('aggregate', () => reader.aggregate(query), isNumbers),
    series: (query) => call('series', () => reader.series(query), isPoints),
    listMetrics: () => call('list_metrics', () => reader.listMetrics(), Array.isArray),
    probe: () =>
      call(
        'probe',
        () => reader.probe(),
        () => true,
      ),
    ...(typeof realNames === 'function' ? { realNames: () => realNames.call(reader) } : {}),
    close: () => within(limitMs, () => reader.close()),
  };
}

/** A configured source that does not exist: every request fails with the reason. */
export function absentSource(name: string, reason: string): HistoryReader {
  const fail = () => Promise.reject(new HistoryUnavailableError(name, reason));
  return { name, aggregate: fail, series: fail, listMetrics: fail, probe: fail, close: async () => {} };
}

async function within<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
  return withTimeLimit(work(), limitMs, () => {
    throw new Error(`no response within ${limitMs / 1000} s`);
  });
}

function isNumbers(value: unknown): boolean {
  return value instanceof Map && [...value.values()].every(Number.isFinite);
}

function isPoints(points: unknown): boolean {
  return Array.isArray(points) && points.every(({ at, value }) => Number.isFinite(at) && Number.isFinite(value));
}
