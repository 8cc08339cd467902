import { expect, it } from 'vitest';
import { createSharedReads } from './shared-reads.ts';

/** Reads of a changing value. The test decides when each one finishes. */
function reads() {
  const open: (() => void)[] = [];
  const world = { value: 0, started: 0 };
  const read = async () => {
    world.started += 1;
    const { value } = world;
    await new Promise<void>((resolve) => open.push(resolve));
    return value;
  };
  const finish = async () => {
    open.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { world, read, finish };
}

it('reads that arrive during a read share one that starts afterwards', async () => {
  const { world, read, finish } = reads();
  const share = createSharedReads<number>();
  const first = share('a', read);
  world.value = 1;
  const later = [share('a', read), share('a', read), share('a', read)];
  world.value = 2;
  expect(world.started).toBe(1);
  await finish();
  expect(world.started).toBe(2);
  world.value = 3;
  const last = share('a', read);
  await finish();
  await finish();
  expect([await first, ...(await Promise.all(later)), await last]).toEqual([0, 2, 2, 2, 3]);
  expect(world.started).toBe(3);
});

it('different keys do not wait for each other', async () => {
  const { world, read, finish } = reads();
  const share = createSharedReads<number>();
  const both = [share('a', read), share('b', read)];
  expect(world.started).toBe(2);
  await finish();
  await finish();
  expect(await Promise.all(both)).toEqual([0, 0]);
});

it('a failure reaches its callers, and the next read runs', async () => {
  const share = createSharedReads<number>();
  let calls = 0;
  const fail = async () => {
    calls += 1;
    throw new Error(`failure ${calls}`);
  };
  const [first, second, third] = [share('a', fail), share('a', fail), share('a', fail)];
  await expect(first).rejects.toThrow('failure 1');
  await expect(second).rejects.toThrow('failure 2');
  await expect(third).rejects.toThrow('failure 2');
  expect(await share('a', async () => 7)).toBe(7);
});
