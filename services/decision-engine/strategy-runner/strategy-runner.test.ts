// @needs build
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { JsonObject, Logger } from '#libs/domain';
import { HistoryUnavailableError } from '#libs/history';
import { loadPlugins, type MetricsReader, validateParameters } from '#libs/plugin-kit';
import { createTestMetrics, createTestWorld, movesOf } from '#libs/plugin-kit/testing';
import { builtInPlugins } from '../built-in-plugins.ts';
import { PluginFailedError, PluginTimeoutError, StrategyStoppedError } from './errors.ts';
import { createStrategyRunner, type StrategyRunner, type StrategyRunRequest } from './strategy-runner.ts';
import type { RunPart } from './worker-protocol.ts';

const fixtures = new URL('./testing/strategies.js', import.meta.url).href;
const builtIn = builtInPlugins();
const actions = builtIn.actions();

function fixture<Kind extends RunPart>(kind: Kind, name: string) {
  return { kind, name, moduleUrl: fixtures, exportName: 'plugins' };
}

function createLogRecorder(): { logger: Logger; lines: { level: string; fields: object; message: string }[] } {
  const lines: { level: string; fields: object; message: string }[] = [];
  const build = (bound: object): Logger => {
    const at = (level: string) => (fields: object, message: string) =>
      void lines.push({ level, fields: { ...bound, ...fields }, message });
    return {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      child: (fields) => build({ ...bound, ...fields }),
    };
  };
  return { logger: build({}), lines };
}

describe('strategy runner', () => {
  const { logger, lines } = createLogRecorder();
  let runner: StrategyRunner;

  beforeAll(() => {
    runner = createStrategyRunner({ threads: 2, logger, memoryLimitMb: 128, actions });
  });
  afterAll(() => runner.close());

  function request(name: string, changes: Partial<StrategyRunRequest> = {}): StrategyRunRequest {
    const snapshot = createTestWorld({
      hosts: [{ hostname: 'a', vcpus: 8 }, { hostname: 'b' }],
      instances: [{ name: 'web', host: 'a', vcpus: 3 }],
    });
    return {
      strategy: fixture('strategy', name),
      planner: builtIn.source('planner', 'weight'),
      goal: fixture('goal', 'counts_anything'),
      limits: { parallelMigrations: 4, parallelPerSourceHost: 2, parallelPerDestinationHost: 2 },
      snapshot,
      parameters: { given: 7 },
      seed: 42,
      nowMs: 1_000_000,
      timeLimitMs: 120_000,
      signal: new AbortController().signal,
      metrics: createTestMetrics(snapshot, { host_cpu_usage: { a: 81.5 } }),
      ...changes,
    };
  }

  it('passes model, metrics, parameters, clock and random numbers to a strategy, and returns result, log and timings', async () => {
    const first = await runner.run(request('reports_its_inputs'));
    const again = await runner.run(request('reports_its_inputs'));
    const otherSeed = await runner.run(request('reports_its_inputs', { seed: 43 }));

    expect(first.indicators).toMatchObject({ cpu: 81.5, free: 5, now: 1_000_000, given: 7 });
    expect(again.indicators).toEqual(first.indicators);
    expect(otherSeed.indicators.random).not.toBe(first.indicators.random);
    expect(first.timings.compute).toBeGreaterThanOrEqual(0);
    expect(lines).toContainEqual({
      level: 'info',
      fields: { strategy: 'reports_its_inputs', hosts: 2 },
      message: 'read the hosts',
    });
  });

  it('starts no thread once it is closed', async () => {
    const closed = createStrategyRunner({ threads: 1, logger, actions });
    await closed.close();

    await expect(closed.run(request('shares_columns'))).rejects.toThrow('the strategy runner is closed');
  });

  it('passes the columns of the snapshot without a copy', async () => {
    const { indicators } = await runner.run(request('shares_columns'));

    expect(indicators.all).toBeGreaterThan(15);
    expect(indicators.shared).toBe(indicators.all);
  });

  it.each(['never_ends', 'waits_for_ever'])('kills a strategy that %s at its time limit', async (name) => {
    const running = runner.run(request(name, { timeLimitMs: 300 }));

    await expect(running).rejects.toThrow(PluginTimeoutError);
    await expect(running).rejects.toThrow(/time limit of 0\.3 s/);
  });

  it('counts the time limit from the start of the run, not while it waits for a thread', async () => {
    const alone = createStrategyRunner({ threads: 1, logger, actions });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const blocking = expect(alone.run(request('never_ends'))).rejects.toThrow(PluginTimeoutError);
      const waiting = alone.run(request('shares_columns'));
      await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0);
      vi.advanceTimersByTime(request('never_ends').timeLimitMs);
      await blocking;
      await expect(waiting).resolves.toHaveProperty('indicators');
    } finally {
      vi.useRealTimers();
      await alone.close();
    }
  });

  it('stops a strategy when its audit is cancelled', async () => {
    const cancel = new AbortController();
    const running = runner.run(request('never_ends', { signal: cancel.signal }));
    setTimeout(() => cancel.abort(), 200);

    await expect(running).rejects.toThrow(StrategyStoppedError);
  });

  it('requests the best result of a search before its time limit', async () => {
    const alone = createStrategyRunner({ threads: 1, logger, actions });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const running = alone.run(request('searches', { timeLimitMs: 60_000, parameters: { time_limit: 1e9 } }));
      await expect.poll(() => vi.getTimerCount()).toBe(2);
      vi.advanceTimersByTime(48_000);
      await expect(running).resolves.toMatchObject({ report: { search: { endedBy: 'clock', starts: 1 } } });
    } finally {
      vi.useRealTimers();
      await alone.close();
    }
  });

  it('ends a search with its best result on request, and reports its progress before', async () => {
    const finish = new AbortController();
    const reported: number[] = [];
    const { report } = await runner.run(
      request('searches', {
        parameters: { time_limit: 1e9 },
        finish: finish.signal,
        onProgress: ({ best, work, budget }) => {
          reported.push(best.value);
          expect(work).toBeLessThan(budget);
          finish.abort();
        },
      }),
    );

    expect(report.search).toMatchObject({ endedBy: 'request', budget: 1e15 });
    expect(reported.length).toBeGreaterThan(0);
  });

  it('takes the best of several starts, and queries metrics once', async () => {
    const { metrics } = request('searches');
    const hosts = vi.fn(metrics.hosts);
    const run = () =>
      runner.run(request('searches', { parameters: { time_limit: 1 }, starts: 3, metrics: { ...metrics, hosts } }));
    const first = await run();

    expect(hosts).toHaveBeenCalledTimes(1);
    // Start 1 has the best rank.
    expect(first.indicators).toMatchObject({ given: 1 });
    expect(first.report.search).toEqual({ work: 1e6, budget: 1e6, endedBy: 'work', starts: 3, bestStart: 1 });
    const again = await run();
    expect({ ...again, timings: null }).toEqual({ ...first, timings: null });
  });

  it.each([
    ['throws', /strategy throws failed: the sum of weights is 0/],
    ['exits', /strategy exits failed/],
    ['eats_memory', /memory/],
    ['eats_arrays', /strategy eats_arrays failed: the process took more than 256 MiB of memory/],
    ['returns_nothing', /result: must be an object/],
    ['returns_a_function', /other than plain data/],
    ['is_not_there', /the export plugins of .* no longer contains it/],
    ['throws_later', /too late/],
    ['teleports', /unusable result: actions\[1\]\.actionType: no action type teleport is loaded; known are .*migrate/],
    ['mistypes', /: actions\[0\]\.actionType: no action type migrat is loaded; did you mean migrate\?/],
    [
      'warps',
      /: actions\[0\]\.inputParameters\.resource_id: is required; migration_type: must be one of "live".*\(action type migrate\)/,
    ],
    ['misspells', /: actions\[0\]\.inputParameters\.mesage: is not allowed; did you mean message\?/],
    ['varies', /: variants\[0\]\.actions\[0\]\.actionType: no action type teleport/],
    ['counts_an_unknown_indicator', /unusable result: indicators: surprise: is not an indicator of goal/],
  ])('reports why a strategy that %s gave no result', async (name, reason) => {
    const running = runner.run(request(name));

    await expect(running).rejects.toThrow(PluginFailedError);
    await expect(running).rejects.toThrow(reason);
  });

  const foreign = (part: 'planner' | 'goal', name: string, timeLimitMs = 120_000) => {
    const source = part === 'planner' ? { planner: fixture(part, name) } : { goal: fixture(part, name) };
    return runner.run(request('dummy', { ...source, timeLimitMs }));
  };

  it.each([
    ['planner', 'throws', /^planner throws failed: no order is good enough$/],
    ['planner', 'exits', /^planner exits failed: its thread ended/],
    ['planner', 'eats_memory', /^planner eats_memory failed: .*memory/],
    ['planner', 'eats_arrays', /^planner eats_arrays failed: .* 256 MiB/],
    ['planner', 'goes_in_a_circle', /^planner goes_in_a_circle has nop .* wait for/],
    ['planner', 'teleports', /^planner teleports returned an unusable plan: actions\[0\]\.actionType: no action type/],
    ['planner', 'returns_a_function', /^planner returns_a_function failed: .*other than plain data/],
    ['planner', 'is_not_there', /^planner is_not_there failed: .*no longer contains it/],
    ['goal', 'throws', /^goal throws failed: divided by nothing$/],
    ['goal', 'exits', /^goal exits failed: its thread ended/],
  ] as const)('reports a %s that %s', async (part, name, message) => {
    const running = foreign(part, name);

    await expect(running).rejects.toMatchObject({ code: `${part}_failed`, message: expect.stringMatching(message) });
  });

  it.each(['planner', 'goal'] as const)('kills a %s that never ends at its time limit', async (part) => {
    let limitMs = 100;
    // The strategy runs first with the same limit, and may need more time on a busy machine.
    const codeOfTry = () => {
      limitMs *= 3;
      return foreign(part, 'never_ends', limitMs).catch(({ code }) => code);
    };

    await expect.poll(codeOfTry).toBe(`${part}_timeout`);
  });

  it('reads the models of a strategy from its thread', async () => {
    const { strategy, signal } = request('reads_by_parameters');
    const modelsOf = (parameters: JsonObject, timeLimitMs = 120_000) =>
      runner.models({ strategy, timeLimitMs, signal, parameters });

    expect(await modelsOf({ models: ['compute', 'storage'] })).toEqual(['compute', 'storage']);
    await expect(modelsOf({ models: ['weather'] })).rejects.toThrow(
      'strategy reads_by_parameters failed: modelsFor returned ["weather"], which is not a list of models',
    );
    await expect(modelsOf({}, 300)).rejects.toMatchObject({ code: 'strategy_timeout' });
  });

  it('runs further strategies after these failures', async () => {
    await expect(runner.run(request('shares_columns'))).resolves.toHaveProperty('report');
  });

  it('clears the timers of its limits', async () => {
    const made = vi.spyOn(globalThis, 'setTimeout');
    const cleared = vi.spyOn(globalThis, 'clearTimeout');
    onTestFinished(() => void vi.restoreAllMocks());
    await runner.run(request('reports_its_inputs', { timeLimitMs: 123_456 }));
    const timers = made.mock.results.filter((_, call) => made.mock.calls[call]?.[1] === 123_456);
    expect(timers.length).toBeGreaterThan(0);
    const ended = cleared.mock.calls.map(([timer]) => timer);
    for (const { value } of timers) expect(ended.includes(value)).toBe(true);
  });

  it('keeps the reason of a failed metrics query as the cause, so that it can be tried again', async () => {
    const outage = new HistoryUnavailableError('influxdb', 'connection refused');
    const metrics: MetricsReader = { hosts: () => Promise.reject(outage), instances: () => Promise.reject(outage) };

    const error = await runner.run(request('reports_its_inputs', { metrics })).catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(PluginFailedError);
    expect(error).toMatchObject({ cause: outage, category: 'retryable' });
    expect(String(error)).toMatch(/connection refused/);
  });

  it('runs a plugin that the configuration names, and built-in strategies', async () => {
    const folder = fileURLToPath(new URL('../../../examples/strategy-plugin', import.meta.url));
    const registry = builtIn.copy();
    await loadPlugins([folder], registry);
    const snapshot = createTestWorld({
      hosts: [{ hostname: 'a' }, { hostname: 'b' }],
      instances: ['x', 'y', 'z', 'w'].map((name) => ({ name, host: 'a' })),
    });
    const run = (name: string, changes: Partial<StrategyRunRequest> = {}) => {
      const { parameters, goal, planner } = registry.strategy(name).manifest;
      return runner.run(
        request(name, {
          strategy: registry.source('strategy', name),
          goal: registry.source('goal', goal),
          planner: registry.source('planner', planner),
          snapshot,
          parameters: validateParameters(parameters, {}),
          ...changes,
        }),
      );
    };

    const outside = await run('spread_by_count');
    const weighting = { sleep: { weight: 100, parallelization: 1 } };
    const shipped = await run('dummy', { limits: { ...request('dummy').limits, weighting } });

    expect(movesOf(outside.actions).map(({ from, to }) => `${from}>${to}`)).toEqual(['a>b', 'a>b']);
    expect(outside.indicators.standard_deviation_after_audit).toBe(0);
    expect(shipped.actions.map(({ actionType }) => actionType)).toEqual(['sleep', 'nop', 'nop']);
  });

  it('gives strategies the scoring engines and the failed migrations of the audit', async () => {
    const scoring = createStrategyRunner({ threads: 1, logger, actions, scoring: builtIn.scoringSources() });
    const snapshot = createTestWorld({
      hosts: [{ hostname: 'a' }, { hostname: 'b' }],
      instances: [
        { name: 'small', host: 'a' },
        { name: 'large', host: 'b', vcpus: 4 },
      ],
    });
    const run = (name: string, changes: Partial<StrategyRunRequest>) => {
      const { goal, planner } = builtIn.strategy(name).manifest;
      const sources = {
        strategy: builtIn.source('strategy', name),
        goal: builtIn.source('goal', goal),
        planner: builtIn.source('planner', planner),
      };
      return scoring.run(request(name, { ...sources, snapshot, ...changes }));
    };
    const choice = { parameters: { host_choice: 'specify', failure_reserve: 0 } };
    try {
      const { actions } = await run('dummy_with_scorer', { parameters: { param1: 3.2, param2: 'hello' } });
      const moves = await run('node_resource_consolidation', choice);
      const none = await run('node_resource_consolidation', {
        ...choice,
        failedMigrations: snapshot.instanceInfo.map(({ uuid }) => uuid),
      });

      expect(actions.map(({ inputParameters }) => inputParameters.message ?? '').join()).toMatch(/Workload: \w+.*AVG/);
      expect([moves.actions.length, none.actions.length]).toEqual([1, 0]);
    } finally {
      await scoring.close();
    }
  });

  it('shows strategies no environment variables', async () => {
    const { indicators } = await runner.run(request('reads_secrets'));

    expect(indicators.variables).toBe(0);
  });
});
