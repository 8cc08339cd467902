import { expect, it } from 'vitest';
import { createMetrics } from '#libs/service-kit';
import { createBusMetrics } from './bus-metrics.ts';

it('counts published and handled messages', async () => {
  const metrics = createMetrics('test');
  const bus = createBusMetrics(metrics);
  bus.connected(true);
  bus.published('plan.launch', true);
  bus.published('plan.launch', 'no route');
  bus.handled('plan.launch', { kind: 'dead', reason: 'never' }, performance.now() - 1500);
  const { body } = await metrics.expose();
  expect(body).toMatch(/^vigil_bus_connected\{.*\} 1$/m);
  expect(body).toMatch(/^vigil_bus_published_total\{type="plan.launch",result="stored",.*\} 1$/m);
  expect(body).toMatch(/^vigil_bus_published_total\{type="plan.launch",result="failed",.*\} 1$/m);
  expect(body).toMatch(/^vigil_bus_handled_total\{type="plan.launch",verdict="dead",.*\} 1$/m);
  const seconds = Number(/^vigil_bus_handler_seconds_sum\{.*\} ([\d.]+)$/m.exec(body)?.[1]);
  expect(seconds).toBeGreaterThan(1.4);
  // Seconds, not milliseconds.
  expect(seconds).toBeLessThan(1000);
});

it('works without metrics', () => {
  const bus = createBusMetrics(undefined);
  expect(() => bus.published('plan.launch', true)).not.toThrow();
});
