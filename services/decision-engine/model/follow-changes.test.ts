import { expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import { createMetrics } from '#libs/service-kit';
import { createModelKeeper } from './model-keeper.ts';

interface Numbers {
  takenAtMs: number;
  complete: boolean;
  gaps: string[];
  value: number;
}

function keeperOf(followedMaxAgeMs = 100) {
  const world = { nowMs: 1000, collections: 0 };
  let hold: Promise<void> | null = null;
  const keeper = createModelKeeper<Numbers>({
    async collect() {
      world.collections += 1;
      const picture = { takenAtMs: world.nowMs, complete: true, gaps: [], value: world.collections * 100 };
      await hold;
      return picture;
    },
    followedMaxAgeMs,
    clock: { now: () => world.nowMs },
    logger: silentLogger,
    metrics: createMetrics('test'),
  });
  const holdCollections = () => {
    let release: () => void = () => undefined;
    hold = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  };
  return { keeper, world, holdCollections };
}

const plusOne = (picture: Numbers) => ({ ...picture, value: picture.value + 1 });

test('a change is in the model immediately, and a change during a collection is also in the next model', async () => {
  const { keeper, world, holdCollections } = keeperOf();
  keeper.change(plusOne);
  expect(keeper.latest()).toBeNull();
  await keeper.fresh(10);
  keeper.change(plusOne);
  expect(keeper.latest()?.value).toBe(101);

  world.nowMs += 1000;
  const release = holdCollections();
  const next = keeper.fresh(10);
  keeper.change(plusOne);
  expect(keeper.latest()?.value).toBe(102);
  release();
  expect((await next).value).toBe(201);
});

test('a change that cannot be applied causes a new collection, regardless of the age of the last model', async () => {
  const { keeper, world } = keeperOf();
  await keeper.fresh(10);
  keeper.change(() => null);
  expect(keeper.latest()).toBeNull();
  expect((await keeper.fresh(1_000_000)).value).toBe(200);
  expect(world.collections).toBe(2);
});

test('a followed model may be older than its limit, except for callers that need a current one', async () => {
  const { keeper, world } = keeperOf(100);
  await keeper.fresh(10);
  world.nowMs += 50;
  keeper.setFollowed(true);
  await keeper.fresh(10);
  expect(world.collections).toBe(1);
  await keeper.fresh(0);
  expect(world.collections).toBe(2);
  world.nowMs += 50;
  keeper.setFollowed(false);
  await keeper.fresh(10);
  expect(world.collections).toBe(3);
});
