import { expect, test } from 'vitest';
import { enPages } from '../../texts/en/pages.ts';
import { addTexts } from '../../texts/texts.ts';
import { balanceLoad } from './host-proposals.ts';

addTexts(enPages);

const proposed = (load: number | null, mean: number | null) =>
  balanceLoad({ hostname: 'a', cpu_load: load }, mean).proposal;

test('the proposal reduces the load of a host above the mean, with a threshold between the two', () => {
  expect(proposed(80, 40)).toMatchObject({ strategy: 'workload_balance', parameters: { threshold: 60 } });
  expect(proposed(41.5, 40)).toMatchObject({ parameters: { threshold: 41 } });
});

test.each([
  [30, 40],
  [40.2, 40],
  [null, 40],
  [80, null],
])('a load of %j beside a mean of %j proves nothing: the allocations are evened out', (load, mean) => {
  expect(proposed(load, mean)).toMatchObject({ strategy: 'allocation_balance', parameters: { resource: 'vcpus' } });
});
