import { expect, it } from 'vitest';
import { createWhatIf } from '#libs/cluster-model';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { moveCost } from './move-cost.ts';

const model = createWhatIf(
  createTestWorld({
    hosts: [{ hostname: 'a', memory: 65_536 }],
    instances: [{ name: 'vm', host: 'a', memory: 4096 }],
  }),
);

it.each([
  ['idle', 0, 4096],
  ['busy: half of its memory is copied again', 100, 6144],
  ['half busy', 50, 5120],
  ['busier than it can be', 250, 6144],
  ['not measured', Number.NaN, 4096],
])('an instance that is %s', (_, cpuPercent, copied) => {
  expect(moveCost(model, 0, cpuPercent)).toBe(2048 + copied);
});
