import { expect, it } from 'vitest';
import type { HostBeforeAfter, HostUse } from './plan-hosts.ts';
import { isImprovement, isSideEffect, quantityChanges } from './quantity-changes.ts';

const capacity = { vcpus: 10, dedicatedCpus: 0, memory: 1000, disk: 0 };

function use(vcpus: number, memory: number, more: Partial<HostUse> = {}): HostUse {
  return { instances: 1, vcpus, dedicatedCpus: 0, memory, disk: 0, enabled: true, ...more };
}

function host(hostname: string, before: HostUse, after: HostUse): HostBeforeAfter {
  return { hostname, capacity, before, after, instancesIn: 0, instancesOut: 0 };
}

it('names the fullest host after the plan, and the deviation of the enabled hosts', () => {
  const [memory, vcpus, ...others] = quantityChanges([
    host('a', use(8, 600), use(5, 400)),
    host('b', use(2, 400), use(5, 900)),
    host('off', use(0, 0, { enabled: false }), use(0, 0, { enabled: false })),
  ]);

  expect(others).toEqual([]);
  expect(memory).toEqual({
    quantity: 'memory',
    deviation: { before: 10, after: 25 },
    highestBefore: 60,
    fullest: { hostname: 'b', before: 40, after: 90 },
  });
  expect(vcpus).toMatchObject({ quantity: 'vcpus', deviation: { before: 30, after: 0 }, highestBefore: 80 });
});

/** The quantities of two hosts that a rule selects, by their use after the plan. */
const namesOf = (isSelected: typeof isSideEffect, before: [HostUse, HostUse]) => (after: [HostUse, HostUse]) =>
  quantityChanges([host('a', before[0], after[0]), host('b', before[1], after[1])])
    .filter(isSelected)
    .map(({ quantity }) => quantity);

it('is a side effect where a host becomes fuller, or the shares less even, by a point or more', () => {
  const effects = namesOf(isSideEffect, [use(5, 500), use(5, 500)]);

  expect(effects([use(5, 500), use(5, 500)])).toEqual([]);
  expect(effects([use(5, 509), use(5, 491)])).toEqual([]);
  expect(effects([use(5, 520), use(5, 480)])).toEqual(['memory']);
  expect(effects([use(2, 480), use(5, 500)])).toEqual(['memory', 'vcpus']);
});

it('is an improvement where the fullest host becomes less full, or the shares more even, and nothing worse', () => {
  const improved = namesOf(isImprovement, [use(8, 500), use(2, 500)]);

  expect(improved([use(8, 500), use(2, 500)])).toEqual([]);
  expect(improved([use(5, 500), use(5, 500)])).toEqual(['vcpus']);
  // Less full, but less even.
  expect(improved([use(7, 500), use(0, 500)])).toEqual([]);
});

it('leaves out a host whose CPU load was not measured', () => {
  const changes = quantityChanges([
    host('a', use(5, 500, { cpuLoad: 20 }), use(5, 500, { cpuLoad: 70 })),
    host('b', use(5, 500), use(5, 500)),
  ]);

  expect(changes[0]).toEqual({
    quantity: 'cpu_load',
    deviation: { before: 0, after: 0 },
    highestBefore: 20,
    fullest: { hostname: 'a', before: 20, after: 70 },
  });
});

it('reports nothing for a plan that disables every host', () => {
  expect(quantityChanges([host('a', use(5, 500), use(0, 0, { enabled: false }))])).toEqual([]);
});
