// @needs build
import { beforeEach, expect, it } from 'vitest';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { type TestEngines, useTestEngines } from '../testing/test-engines.ts';

const engines = await useTestEngines();
const store = engines.store;
beforeEach(() => {
  Object.assign(engines.world, wideWorld());
});

/** So many instances of different sizes that a search has its work for minutes. */
function wideWorld(): TestEngines['world'] {
  const hosts = Array.from({ length: 150 }, (_, index) => ({ hostname: `h${index}`, vcpus: 64, memory: 262_144 }));
  const instances = Array.from({ length: 1500 }, (_, index) => ({
    name: `vm${index}`,
    host: `h${Math.floor((index * index) / 15_000) % 150}`,
    vcpus: 1 + ((index * 7) % 3),
    memory: 512 + ((index * 613) % 4096),
  }));
  const snapshot = createTestWorld({ hosts, instances, takenAtMs: Date.now() });
  const loads = new Map(snapshot.instanceInfo.map(({ uuid }, index) => [uuid, 5 + ((index * 37) % 50)] as const));
  return { snapshot, loads };
}

/** An audit whose search has found something. */
async function searching() {
  const audit = await engines.newAudit('balance_optimizer', {
    parameters: { preset: 'even', time_limit: 240, max_moves: 400 },
  });
  const { runner, lease } = engines.start();
  await runner.submit(() => store.db.audits.claim(audit.uuid, lease));
  await expect.poll(() => runner.searches.status(audit.uuid)?.value, { timeout: 120_000 }).toEqual(expect.any(Number));
  return { audit, runner };
}

it('the best plan so far is taken on request', { timeout: 300_000 }, async () => {
  const { audit, runner } = await searching();
  const status = runner.searches.status(audit.uuid);
  expect(status).toMatchObject({ isFinishing: false, bound: expect.any(Number), moves: expect.any(Number) });
  expect(runner.searches.finish(audit.uuid)).toMatchObject({ isFinishing: true });
  const { state, report } = await engines.ended(audit.uuid);
  expect(state).toBe('SUCCEEDED');
  expect(report?.search?.endedBy).toBe('request');
  expect(report?.curve?.length).toBeGreaterThan(0);
  // The state of the audit is committed before its search is removed.
  await expect.poll(() => runner.searches.status(audit.uuid)).toBeNull();
});
