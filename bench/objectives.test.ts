import { expect, it } from 'vitest';
import { hostFlag } from '#libs/cluster-model';
import { validateParameters } from '#libs/plugin-kit';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { strategyCatalogue } from '#libs/strategies';
import { objectiveCases } from './objective-cases.ts';
import { applyProposal, cpuDeviation, hostsAbove, hostsInUse, overload } from './objective-measures.ts';
import { compare } from './objectives.ts';

it.each(objectiveCases)('$name compares strategies that exist, with parameters that they have', (one) => {
  const sides = [
    [one.strategy, one.parameters],
    [one.optimizer, one.optimizerParameters],
  ] as const;
  for (const [name, parameters] of sides) {
    const strategy = strategyCatalogue.find(({ manifest }) => manifest.name === name);
    expect(strategy, name).toBeDefined();
    expect(validateParameters(strategy!.manifest.parameters, parameters)).toMatchObject(parameters);
  }
});

it('measures placements by the true loads of hosts that serve', () => {
  const snapshot = createTestWorld({
    hosts: ['h0', 'h1', 'h2'].map((hostname) => ({ hostname, vcpus: 10 })),
    instances: ['vm0', 'vm1'].map((name) => ({ name, host: 'h0', vcpus: 2 })),
  });
  snapshot.hosts.flags[2] = hostFlag.up;
  const world = { snapshot, cpu: [100, 50] };
  const uuid = snapshot.instanceInfo[1]!.uuid;
  const migrate = { actionType: 'migrate', inputParameters: { resource_id: uuid, destination_node: 'h1' } };
  const { hostOf, migrations, refused } = applyProposal(snapshot, [migrate] as never);

  expect([...hostOf, migrations, refused]).toEqual([0, 1, 1, 0]);
  const home = Int32Array.from(snapshot.instances.host);
  expect([cpuDeviation(world, home), cpuDeviation(world, hostOf)]).toEqual([0.15, expect.closeTo(0.05)]);
  expect([hostsInUse(world, home), hostsInUse(world, hostOf)]).toEqual([1, 2]);
  expect([hostsAbove(30)(world, home), hostsAbove(25)(world, hostOf)]).toEqual([1, 0]);
  expect([overload(25)(world, home), overload(15)(world, hostOf)]).toEqual([5, 5]);
});

it('holds consolidation by search against the busiest hosts first, which leave it more of the migrations', async () => {
  const basic = objectiveCases.find(({ name }) => name === 'basic')!;
  const { goals } = await compare(basic, { hosts: 100, instances: 2000, seconds: 2, moves: 200, seed: 1 });

  for (const { value, limit, name } of goals) expect(value, name).toBeLessThanOrEqual(limit!);
});
