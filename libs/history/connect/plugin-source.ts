import { type Clock, type Logger, messageOf } from '#libs/domain';
import { withTimeLimit } from '#libs/service-kit';
import { type HistoryReader, HistoryRefusedError, HistoryUnavailableError } from '../history-port.ts';
import { type HistoryMetrics, observedCall } from '../observed-call.ts';
import { sourceLimitMs } from '../source-limit.ts';

/** A source that a plugin brings. */
export interface PluginSource {
  name: string;
  /** Makes no external call yet. */
  open(context: PluginSourceContext): HistoryReader;
}

interface PluginSourceContext {
  clock: Clock;
  logger: Logger;
  /** The environment of the process. */
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * A plugin's source as one of Vigil's own. Its errors, time-outs and malformed results become HistoryUnavailableError,
 * so that the next source is queried and this one rests for a while.
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
    return absentSource(name, `it could not be opened: ${messageOf(error)}`);
  }

  async function ask<T>(operation: string, request: () => Promise<T>, isResponse: (answer: T) => boolean): Promise<T> {
    try {
      const answer = await observedCall(metrics, name, operation, () => within(limitMs, request));
      if (isResponse(answer)) return answer;
    } catch (error) {
      if (error instanceof HistoryRefusedError || error instanceof HistoryUnavailableError) throw error;
      throw new HistoryUnavailableError(name, messageOf(error), { cause: error });
    }
    throw new HistoryUnavailableError(name, `its result of ${operation} is not that of a data source`);
  }

  const { realNames } = reader;
  return {
    name,
    aggregate: (query) => ask('aggregate', () => reader.aggregate(query), isNumbers),
    series: (query) => ask('series', () => reader.series(query), isPoints),
    listMetrics: () => ask('list_metrics', () => reader.listMetrics(), Array.isArray),
    probe: () =>
      ask(
        'probe',
        () => reader.probe(),
        () => true,
      ),
    ...(typeof realNames === 'function' ? { realNames: () => realNames.call(reader) } : {}),
    close: () => within(limitMs, () => reader.close()),
  };
}

/** A source that is named and not there: every request fails with the reason. */
export function absentSource(name: string, reason: string): HistoryReader {
  const fail = () => Promise.reject(new HistoryUnavailableError(name, reason));
  return { name, aggregate: fail, series: fail, listMetrics: fail, probe: fail, close: async () => {} };
}

async function within<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
  return withTimeLimit(work(), limitMs, () => {
    throw new Error(`no response within ${limitMs / 1000} s`);
  });
}

function isNumbers(answer: unknown): boolean {
  return answer instanceof Map && [...answer.values()].every(Number.isFinite);
}

function isPoints(answer: unknown): boolean {
  return Array.isArray(answer) && answer.every(({ at, value }) => Number.isFinite(at) && Number.isFinite(value));
}
