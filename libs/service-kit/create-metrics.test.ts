import perfHooks from 'node:perf_hooks';
import { afterEach, expect, test, vi } from 'vitest';
import { createMetrics } from './create-metrics.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('the event loop is watched from the first reading on, which has measured it', async () => {
  const watching = vi.spyOn(perfHooks, 'monitorEventLoopDelay');
  const metrics = createMetrics('test');
  expect(watching).not.toHaveBeenCalled();

  const { body } = await metrics.expose();
  await metrics.expose();

  expect(watching).toHaveBeenCalledOnce();
  const lags = [...body.matchAll(/^nodejs_eventloop_lag_(min|mean|max)_seconds\{service="test"\} (\S+)$/gm)];
  expect(lags.map(([, which]) => which)).toEqual(['min', 'max', 'mean']);
  for (const [line, , seconds] of lags) {
    expect(Number(seconds), line).toBeGreaterThan(0);
    expect(Number(seconds), line).toBeLessThan(180);
  }
});
