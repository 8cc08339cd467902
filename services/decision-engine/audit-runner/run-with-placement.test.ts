import { describe, expect, it } from 'vitest';
import { type ComputeSnapshot, createWhatIf } from '#libs/cluster-model';
import type { PlannedAction } from '#libs/plugin-kit';
import { createTestWorld, testUuid } from '#libs/plugin-kit/testing';
import { createMetrics } from '#libs/service-kit';
import { createPlacementQueries } from './placement-queries.ts';
import { runWithPlacement } from './run-with-placement.ts';

const gpu = { 'resources:VGPU': '1' };
const world: ComputeSnapshot = {
  ...createTestWorld({
    hosts: ['a', 'b', 'c'].map((hostname) => ({ hostname, hypervisor: { version: 8_001_000 } })),
    instances: ['one', 'two'].map((name) => ({ name, host: 'a', flavorExtraSpecs: gpu })),
  }),
  movesDevices: true,
};

/** Moves every instance to the first host that takes it, or leaves the host to Nova. */
function strategyOf({ named = true } = {}) {
  const runs: string[][] = [];
  return {
    runs,
    async run(snapshot: ComputeSnapshot) {
      const model = createWhatIf(snapshot);
      const actions = snapshot.instanceInfo.flatMap(({ uuid }, row): PlannedAction[] => {
        const host = [1, 2].find((candidate) => model.refusal(row, candidate) === null);
        if (host === undefined) return [];
        const destination = named ? { destination_node: snapshot.hostInfo[host]?.hostname ?? '' } : {};
        const inputParameters = { resource_id: uuid, source_node: 'a', migration_type: 'live', ...destination };
        return [
          { uuid, actionType: 'migrate', inputParameters, parents: [], reason: null } as unknown as PlannedAction,
        ];
      });
      const names = new Map(snapshot.instanceInfo.map(({ uuid, name }) => [uuid, name]));
      const moves = actions.map(({ inputParameters: input }) => {
        return `${names.get(String(input.resource_id))} to ${input.destination_node ?? 'any'}`;
      });
      runs.push(moves);
      return { actions, moves };
    },
  };
}

/** Placement that has room on the given hosts, and lists its queries. */
function placementOf(hosts: string[] | Error, { most = 50 } = {}) {
  const uuids = Array.isArray(hosts) ? hosts.map(testUuid) : [];
  const queries: Record<string, string>[] = [];
  let generation = 1;
  const placement = {
    listResourceProviders: async () =>
      world.hostInfo.map(({ uuid }) => ({ uuid, name: '', generation, parentUuid: null })),
    async hasCandidates(query: Record<string, string>) {
      queries.push(query);
      if (!Array.isArray(hosts)) throw hosts;
      return uuids.includes(query.in_tree ?? '');
    },
  };
  const placementQueries = createPlacementQueries(
    { placement: placement as never, clock: { now: () => 0 }, metrics: createMetrics('test') },
    { most },
  );
  return {
    placementQueries,
    queries,
    change: () => {
      generation += 1;
    },
  };
}

const signal = new AbortController().signal;
const movesOf = async (hosts: string[] | Error, strategy = strategyOf(), options = {}) => {
  const { placementQueries, queries } = placementOf(hosts, options);
  const { run, notes } = await runWithPlacement(world, placementQueries, { run: strategy.run, signal });
  return { moves: run.moves, notes, queries, runs: strategy.runs };
};

describe('moves of instances with devices', () => {
  it('go only where Placement has room, one to each host', async () => {
    const { moves, queries, notes } = await movesOf(['b', 'c']);
    expect(moves).toEqual(['one to b', 'two to c']);
    expect(queries[0]).toEqual({ resources: 'VGPU:1', in_tree: testUuid('b') });
    expect(notes).toHaveLength(1);
  });

  it('are planned anew without the refused ones', async () => {
    const { moves, runs } = await movesOf(['c']);
    expect(moves).toEqual(['one to c']);
    expect(runs.length).toBeGreaterThan(1);
  });

  it.each([
    ['refuses all', []],
    ['fails', new Error('out of order')],
  ])('are none when Placement %s', async (_, hosts) => {
    expect((await movesOf(hosts)).moves).toEqual([]);
  });

  it('are none beyond the number of queries', async () => {
    const { moves, queries } = await movesOf(['b', 'c'], strategyOf(), { most: 1 });
    expect(queries).toHaveLength(1);
    expect(moves).toEqual(['one to b']);
  });

  it('are none where Nova would choose the host', async () => {
    const { moves, queries } = await movesOf(['b', 'c'], strategyOf({ named: false }));
    expect([moves, queries]).toEqual([[], []]);
  });

  it('are none without queries', async () => {
    const { run, snapshot } = await runWithPlacement(world, undefined, { run: strategyOf().run, signal });
    expect([run.moves, snapshot]).toEqual([[], world]);
  });
});

it('results are kept until the generation of the host changes', async () => {
  const { placementQueries, queries, change } = placementOf(['b', 'c']);
  const run = () => runWithPlacement(world, placementQueries, { run: strategyOf().run, signal });
  await run();
  const first = queries.length;
  await run();
  expect(queries).toHaveLength(first);
  change();
  await run();
  expect(queries).toHaveLength(2 * first);
});
