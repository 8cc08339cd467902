import { expect, it, vi } from 'vitest';
import { createOccupancy } from './occupancy.ts';

it('takes all names or none, within the limit of each kind', () => {
  const occupancy = createOccupancy(() => ({ source: 2, resource: 1 }));
  const first = occupancy.take(['source:a', 'resource:1']);
  expect(occupancy.take(['source:a', 'resource:1'])).toBeNull();
  const second = occupancy.take(['source:a', 'resource:2']);
  expect(second).not.toBeNull();
  expect(occupancy.take(['source:a', 'resource:3'])).toBeNull();
  first?.();
  first?.();
  expect(occupancy.take(['source:a', 'resource:3'])).not.toBeNull();
  expect(occupancy.take(['source:a'])).toBeNull();
});

it('reports freed hosts, and counts forced ones', () => {
  const occupancy = createOccupancy(() => ({ resource: 1 }));
  const wake = vi.fn();
  const stop = occupancy.onFreed(wake);
  const free = occupancy.force(['resource:1']);
  expect(occupancy.take(['resource:1'])).toBeNull();
  free();
  expect(wake).toHaveBeenCalledTimes(1);
  stop();
  occupancy.force(['resource:1'])();
  expect(wake).toHaveBeenCalledTimes(1);
});
