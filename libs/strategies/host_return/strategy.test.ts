import { describe, expect, it } from 'vitest';
import { forcedDownText, type JsonObject } from '#libs/domain';
import { createTestWorld, runStrategy, type TestHost, type TestWorld, testUuid } from '#libs/plugin-kit/testing';
import { hostReturnStrategy } from './strategy.ts';

const maintained: Partial<TestHost> = { status: 'disabled', disabledReason: 'watcher_maintaining' };

function world(a: Partial<TestHost>): TestWorld {
  return {
    hosts: [{ hostname: 'a', vcpus: 4, ...a }, { hostname: 'b' }, { hostname: 'c' }],
    instances: [
      { name: 'left', host: 'b', vcpus: 2 },
      { name: 'stopped', host: 'c', vcpus: 1, state: 'stopped' },
      { name: 'large', host: 'c', vcpus: 4 },
      { name: 'other', host: 'c' },
      { name: 'there', host: 'a' },
    ],
  };
}
const departures = Object.fromEntries(
  ['left', 'stopped', 'large', 'there', 'gone'].map((name) => [testUuid(name), 'a']).concat([[testUuid('other'), 'b']]),
);

async function back(a: Partial<TestHost>, parameters: JsonObject = {}) {
  const { actions, report } = await runStrategy(hostReturnStrategy, {
    snapshot: createTestWorld(world(a)),
    parameters: { compute_nodes: ['a'], ...parameters },
    past: { departures },
  });
  const plan = actions.map(({ inputParameters: input }) =>
    input.migration_type
      ? `${input.migration_type} ${input.resource_name} ${input.source_node} → ${input.destination_node}`
      : `${input.state} ${input.resource_name}`,
  );
  return { plan, blocked: report.blocked.map(({ constraint, examples }) => [constraint, ...examples]), report };
}

describe('host_return', () => {
  it('enables hosts that a maintenance disabled', async () => {
    expect((await back(maintained)).plan).toEqual(['enabled a']);
  });

  it('returns instances that left and fit, by the way of their state', async () => {
    expect(await back(maintained, { bring_back: true })).toMatchObject({
      plan: ['enabled a', 'live left b → a', 'cold stopped c → a'],
      blocked: [['vcpu', expect.stringContaining('large')]],
    });
  });

  it('only moves where the node is enabled already', async () => {
    expect((await back({}, { bring_back: true })).plan).toEqual(['live left b → a', 'cold stopped c → a']);
    expect((await back({})).report.emptyBecause).toMatch(/enabled already/);
  });

  it.each<[Partial<TestHost>, string]>([
    [{ ...maintained, state: 'down' }, 'host-down'],
    [{ ...maintained, forcedDown: true }, 'forced-down'],
    [{ forcedDown: true }, 'forced-down'],
    [{ ...maintained, state: 'down', forcedDown: true }, 'forced-down'],
    [{ status: 'disabled', disabledReason: 'broken fan' }, 'disabled-by-others'],
  ])('leaves %j alone, and nothing goes back to it', async (host, constraint) => {
    expect(await back(host, { bring_back: true })).toMatchObject({ plan: [], blocked: [[constraint, 'a']] });
  });

  it('reports the next step for a host that is still forced down', async () => {
    const { report } = await back({ ...maintained, forcedDown: true });
    expect(report.hosts).toEqual({ considered: 1, eligible: 0 });
    expect(report.notes).toEqual([`${forcedDownText('a')}.`]);
    expect((await back(maintained)).report.notes).toEqual([]);
  });

  it('enables hosts that others disabled on request', async () => {
    const host: Partial<TestHost> = { status: 'disabled', disabledReason: 'broken fan' };
    expect((await back(host, { any_reason: true })).plan).toEqual(['enabled a']);
  });

  it('names the nearest host for one that is not there', async () => {
    const snapshot = createTestWorld({ hosts: [{ hostname: 'compute-1' }] });
    const run = runStrategy(hostReturnStrategy, { snapshot, parameters: { compute_nodes: ['compute-2'] } });
    await expect(run).rejects.toThrow(/did you mean compute-1/);
  });
});
