import { expect, it } from 'vitest';
import { createWhatIf } from '#libs/cluster-model';
import { testUuid } from '#libs/plugin-kit/testing';
import type { SimulatedHost } from '../cloud/entities.ts';
import { hostFilters } from './host-filters.ts';
import { cloudOf, randomOf, randomWorld, snapshotOf } from './testing/random-clouds.ts';

/** Worlds; a bigger run is asked for with VIGIL_PROPERTY_RUNS. */
const worlds = Number(process.env.VIGIL_PROPERTY_RUNS ?? 60);

it('the model and the simulated scheduler, written apart, agree on every server and host of random clouds', () => {
  const different: string[] = [];
  const onlyBecauseOf = new Map(hostFilters.map(({ name }) => [name, 0]));
  let admitted = 0;
  for (let seed = 1; seed <= worlds; seed++) {
    const world = randomWorld(randomOf(seed * 104_729));
    const context = cloudOf(world);
    const model = createWhatIf(snapshotOf(world));
    for (const server of context.state.servers.values()) {
      const instance = model.instanceRow(testUuid(server.name)) as number;
      if (model.immovable(instance) === 'volume-bound') onlyBecauseOf.set('LocalVolumes', 1);
      if (model.immovable(instance) !== null) continue;
      for (const [row, { hostname }] of model.snapshot.hostInfo.entries()) {
        const host = context.state.hosts.get(hostname) as SimulatedHost;
        const request = { server, flavor: server.flavor, requested: host };
        const refusing = hostFilters.filter((filter) => !filter.passes(host, request, context));
        const [only, ...more] = refusing;
        if (only !== undefined && more.length === 0)
          onlyBecauseOf.set(only.name, (onlyBecauseOf.get(only.name) ?? 0) + 1);
        const refusal = model.refusal(instance, row);
        if (refusal === null) admitted++;
        if ((refusal === null) === (refusing.length === 0)) continue;
        different.push(
          `world ${seed}, ${server.name} to ${hostname}: ${refusal} / ${refusing.map(({ name }) => name)}`,
        );
      }
    }
  }
  expect(different).toEqual([]);
  // Every filter has decided alone, so that none could be left out of the model unseen.
  expect([...onlyBecauseOf].filter(([name, count]) => count === 0 && name !== 'DifferentFromSource')).toEqual([]);
  expect(admitted).toBeGreaterThan(worlds * 10);
});
