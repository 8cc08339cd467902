import { performance } from 'node:perf_hooks';
import type { MessagePort } from 'node:worker_threads';
import { type Logger, messageOf } from '#libs/domain';
import {
  createScoringReader,
  executeStrategy,
  type MetricsReader,
  type ScoringEnginePlugin,
  type ScoringSource,
  type StrategyPlugin,
  type StrategySource,
  scoringEnginesOf,
} from '#libs/plugin-kit';
import type {
  MetricsAnswer,
  MetricWindow,
  StrategyFault,
  StrategyOutcome,
  StrategyTask,
  WorkerMessage,
} from './worker-protocol.ts';

/** A question for metrics failed in the parent, which keeps the true error under this id. */
class MetricsFailure extends Error {
  readonly id: number;

  constructor(id: number, message: string) {
    super(message);
    this.id = id;
  }
}

/** Entry of the worker thread: runs one strategy and answers what became of it. */
export async function runStrategyTask(task: StrategyTask): Promise<StrategyOutcome> {
  const { port, source, scoring, snapshot, storage, baremetal, parameters, seed, nowMs } = task;
  const say = (message: WorkerMessage) => port.postMessage(message);
  say({ kind: 'started' });
  try {
    const began = performance.now();
    const strategy = await loadStrategy(source);
    const loaded = performance.now();
    const asker = createMetricsAsker(port);
    const result = await executeStrategy(strategy, {
      snapshot,
      storage,
      baremetal,
      parameters,
      seed,
      nowMs,
      metrics: asker.reader,
      scoring: createScoringReader(() => loadScoringEngines(scoring)),
      failedMigrations: task.failedMigrations,
      // The parent stops a strategy by killing its thread, so this signal has nothing to tell.
      signal: new AbortController().signal,
      log: createPortLogger(say, {}),
    });
    const metrics = asker.waitedMs();
    const timings = { load: loaded - began, metrics, compute: performance.now() - loaded - metrics };
    return { ok: true, result: cloneable(result), timings };
  } catch (error) {
    return { ok: false, fault: faultOf(error) };
  } finally {
    port.close();
  }
}

async function loadStrategy(source: StrategySource): Promise<StrategyPlugin> {
  const module: Record<string, unknown> = await import(source.moduleUrl);
  const plugins = module[source.exportName];
  const isWanted = (plugin: unknown): plugin is StrategyPlugin =>
    typeof plugin === 'object' && plugin !== null && (plugin as StrategyPlugin).manifest?.name === source.name;
  const strategy = Array.isArray(plugins) ? plugins.find(isWanted) : undefined;
  if (strategy === undefined)
    throw new Error(`${source.moduleUrl} no longer has it in its export ${source.exportName}`);
  return strategy;
}

async function loadScoringEngines(sources: readonly ScoringSource[]): Promise<ScoringEnginePlugin[]> {
  const modules = await Promise.all(
    sources.map(async ({ moduleUrl, exportName }) => {
      const module: Record<string, unknown> = await import(moduleUrl);
      const plugins = module[exportName];
      return Array.isArray(plugins) ? scoringEnginesOf(plugins) : [];
    }),
  );
  return modules.flat();
}

/** A result goes through a message; functions and the like in it can not. */
function cloneable<T>(result: T): T {
  try {
    return structuredClone(result);
  } catch (error) {
    throw new Error(`its result holds something that is not plain data: ${messageOf(error)}`);
  }
}

function faultOf(error: unknown): StrategyFault {
  const stack = error instanceof Error ? error.stack : undefined;
  return {
    message: messageOf(error),
    stack,
    ...(error instanceof MetricsFailure ? { metricsFailure: error.id } : {}),
  };
}

function createMetricsAsker(port: MessagePort): { reader: MetricsReader; waitedMs(): number } {
  const waiting = new Map<number, { resolve(column: Float64Array): void; reject(error: Error): void }>();
  let lastId = 0;
  let waited = 0;
  let waitingSince = 0;

  port.on('message', (answer: MetricsAnswer) => {
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0) waited += performance.now() - waitingSince;
    if ('column' in answer) asked?.resolve(answer.column);
    else asked?.reject(new MetricsFailure(answer.id, answer.failure));
  });

  function ask(of: 'hosts' | 'instances', metric: Parameters<MetricsReader['hosts']>[0], window: MetricWindow) {
    return new Promise<Float64Array>((resolve, reject) => {
      if (waiting.size === 0) waitingSince = performance.now();
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      port.postMessage({ kind: 'metrics', id: lastId, of, metric, window } satisfies WorkerMessage);
    });
  }

  const reader: MetricsReader = {
    hosts: (metric, window) => ask('hosts', metric, window),
    instances: (metric, window) => ask('instances', metric, window),
  };
  return { reader, waitedMs: () => waited };
}

function createPortLogger(say: (message: WorkerMessage) => void, bound: object): Logger {
  const at = (level: 'debug' | 'info' | 'warn' | 'error') => (fields: object, message: string) =>
    say({ kind: 'log', level, fields: loggable({ ...bound, ...fields }), message });
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => createPortLogger(say, { ...bound, ...fields }),
  };
}

/** Log fields may hold anything; what a message can not carry becomes text. */
function loggable(fields: object): object {
  try {
    return structuredClone(fields);
  } catch {
    return { fields: String(Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`)) };
  }
}
