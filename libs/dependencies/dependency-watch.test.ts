import { expect, it } from 'vitest';
import { createRandom, OperatorError, silentLogger } from '#libs/domain';
import { createMetrics, systemClock } from '#libs/service-kit';
import type { Dependency } from './dependency.ts';
import { createDependencyMetrics } from './dependency-metrics.ts';
import { missingOf, type WatchTiming, watchDependencies } from './dependency-watch.ts';
import { startGate } from './gate.ts';
import { isOutage } from './is-outage.ts';
import { checkUntilLost, waitUntilUsable } from './watch-modes.ts';
import { whileOpen } from './while-open.ts';

const names = ['postgresql', 'rabbitmq', 'keystone', 'nova'];
// So patient that rounds wait for all, however slow the machine is.
const fast: WatchTiming = { everyMs: 10, tries: 3, retryMs: 1, patienceMs: 600_000 };

/** Services whose nodes can be broken one by one. */
function world(nodes: Record<string, number>, optional: string[] = [], timing = fast, timeoutMs = 50) {
  const broken = new Set<string>();
  const probes: string[] = [];
  const dependencies: Dependency[] = Object.entries(nodes).map(([name, count]) => ({
    name,
    required: !optional.includes(name),
    timeoutMs,
    nodes: Array.from({ length: count }, (_, place) => ({
      node: `${name}-${place}`,
      async probe() {
        probes.push(name);
        if (broken.has(`${name}-${place}`)) throw new Error('broken');
        if (broken.has(`${name} hangs`)) await new Promise(() => undefined);
      },
    })),
  }));
  const metrics = createMetrics('test');
  const logged: string[] = [];
  const logger = {
    ...silentLogger,
    info: (_fields: object, text: string) => void logged.push(text),
    warn: (_fields: object, text: string) => void logged.push(text),
  };
  const watch = watchDependencies({
    ...{ dependencies, timing, clock: systemClock, random: createRandom(1), logger },
    metrics: createDependencyMetrics(metrics),
  });
  return { broken, probes, watch, metrics, logged };
}

it.each(names)('the verdict is closed when only %s fails', async (name) => {
  const { watch, broken } = world(Object.fromEntries(names.map((each) => [each, 1])));
  broken.add(`${name}-0`);
  const { report } = await watch.round();
  expect(report.open).toBe(false);
  expect(missingOf(report)).toEqual([`${name}: broken`]);
});

it('one of three nodes may fail, three may not; the report names each', async () => {
  const { watch, broken } = world({ rabbitmq: 3 });
  broken.add('rabbitmq-1');
  const { report } = await watch.round();
  expect(report.open).toBe(true);
  expect(report.dependencies[0]?.nodes.map(({ up }) => up)).toEqual([true, false, true]);
  for (const place of [0, 2]) broken.add(`rabbitmq-${place}`);
  expect((await watch.round()).report.open).toBe(false);
});

it('an optional dependency is reported and closes nothing', async () => {
  const { watch, broken } = world({ postgresql: 1, history: 1 }, ['history']);
  broken.add('history-0');
  const { report } = await watch.round();
  expect(report.open).toBe(true);
  expect(report.dependencies[1]).toMatchObject({ name: 'history', up: false });
});

it('a probe that hangs is a failure after its time limit', async () => {
  const { watch, broken } = world({ nova: 1 });
  broken.add('nova hangs');
  expect(missingOf((await watch.round()).report)).toEqual(['nova: no response within 0.05 s']);
});

it('an available dependency is down after its tries; an unavailable one is tried once', async () => {
  const { watch, broken, probes } = world({ nova: 1 });
  await watch.round();
  broken.add('nova-0');
  probes.length = 0;
  await watch.round();
  expect(probes).toHaveLength(fast.tries);
  await watch.round();
  expect(probes).toHaveLength(fast.tries + 1);
});

it('one that hangs keeps no news of the others back', async () => {
  const timing = { ...fast, patienceMs: 5 };
  const { watch, broken } = world({ postgresql: 1, nova: 1, rabbitmq: 1 }, ['rabbitmq'], timing, 600_000);
  const ups = async () => (await watch.round()).report.dependencies.map(({ up }) => up);
  await watch.round();
  broken.add('postgresql-0').add('nova hangs').add('rabbitmq hangs');
  await expect.poll(ups).toEqual([false, true, true]);
  broken.delete('postgresql-0');
  await expect.poll(ups).toEqual([true, true, true]);
});

it('a hanging dependency is down at its time limit, and up again when it responds', async () => {
  const { watch, broken } = world({ nova: 1 }, [], { ...fast, patienceMs: 5 });
  await watch.round();
  broken.add('nova hangs');
  await expect.poll(async () => missingOf((await watch.round()).report)).toEqual(['nova: no response within 0.05 s']);
  broken.clear();
  await expect.poll(async () => (await watch.round()).report.open).toBe(true);
});

it('wait ends when all can be used, check when something is lost; each change is logged once', async () => {
  const { watch, broken, probes, logged, metrics } = world({ nova: 1 });
  const { signal } = new AbortController();
  broken.add('nova-0');
  const waiting = waitUntilUsable(watch, signal);
  await expect.poll(() => logged).toContain('waiting for dependencies');
  broken.clear();
  expect(await waiting).toMatchObject({ open: true });
  const before = probes.length;
  const checking = checkUntilLost(watch, signal);
  await expect.poll(() => probes.length).toBeGreaterThan(before + 1);
  broken.add('nova-0');
  expect(await checking).toMatchObject({ open: false });
  expect(logged.filter((text) => text === 'waiting for dependencies')).toHaveLength(2);
  expect(logged.filter((text) => text === 'all dependencies available')).toHaveLength(1);
  const { body } = await metrics.expose();
  expect(body).toMatch(/vigil_dependency_up\{name="nova",node="1",service="test"\} 0/);
  expect(body).not.toContain('nova-0');
  expect(body).toMatch(/vigil_gate_open\{service="test"\} 0/);
  expect(body).toMatch(/vigil_gate_transitions_total\{to="closed",service="test"\} 2/);
});

it('check believes a failure after its tries only, from the first round on', async () => {
  const { watch, broken, probes } = world({ nova: 1 });
  broken.add('nova-0');
  expect(await checkUntilLost(watch, new AbortController().signal)).toMatchObject({ open: false });
  expect(probes).toHaveLength(fast.tries);
});

it('a closed gate stops its consumers and an open one restarts them', async () => {
  const { watch, broken } = world({ nova: 1 });
  const gate = startGate(watch);
  await gate.firstRound();
  const events: string[] = [];
  const consumer = await whileOpen(gate, silentLogger, async () => {
    events.push('start');
    return { stop: async () => void events.push('stop') };
  });
  broken.add('nova-0');
  await expect.poll(() => events).toEqual(['start', 'stop']);
  expect(gate.isUp('nova')).toBe(false);
  broken.clear();
  await gate.whenOpen();
  await expect.poll(() => events).toEqual(['start', 'stop', 'start']);
  await consumer.stop();
  expect(events).toHaveLength(4);
  await gate.stop();
});

it('a closed gate is tried again soon, not only at the next round', async () => {
  const { watch, broken } = world({ nova: 1 }, [], { everyMs: 3_600_000, tries: 1, retryMs: 1 });
  broken.add('nova-0');
  const gate = startGate(watch);
  await gate.firstRound();
  expect(gate.isOpen).toBe(false);
  broken.clear();
  await gate.whenOpen();
  await gate.stop();
});

it.each(['Channel ended, no reply will be forthcoming', 'Channel closed'])(
  'a start during which the broker becomes unavailable is repeated: %s',
  (text) => {
    expect(isOutage(new OperatorError('RabbitMQ cannot be reached', { cause: new Error(text) }))).toBe(true);
  },
);
