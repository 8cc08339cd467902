import { describe, expect, it } from 'vitest';
import { createWhatIf } from '#libs/cluster-model';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { watchReserve } from './reserve-changes.ts';

/** Three hosts of 8 CPUs in one zone: two of them hold three instances of 2 CPUs each, and one is empty. */
function zone() {
  const hosts = ['a', 'b', 'c'].map((hostname) => ({ hostname, vcpus: 8, memory: 8192, zone: 'z1' }));
  const instances = [0, 1, 2, 3, 4, 5].map((index) => ({
    name: `vm-${index}`,
    host: index < 3 ? 'a' : 'b',
    vcpus: 2,
    memory: 1024,
  }));
  const model = createWhatIf(createTestWorld({ hosts, instances }));
  const [a = -1, b = -1, c = -1] = ['a', 'b', 'c'].map((name) => model.hostRow(name));
  return { model, a, b, c };
}

describe('watchReserve', () => {
  it('a host that is taken out of use takes the reserve of its zone with it', () => {
    const { model, c } = zone();
    const watch = watchReserve(model, [true, true, true]);
    expect(watch.changes()).toEqual([]);

    watch.setInUse(c, false);

    expect(watch.changes()).toEqual([{ domain: 'zone z1', change: 'lost' }]);
  });

  it('a host that is enabled brings a reserve', () => {
    const { model, c } = zone();
    const watch = watchReserve(
      model,
      [0, 1, 2].map((row) => row !== c),
    );

    watch.setInUse(c, true);

    expect(watch.changes()).toEqual([{ domain: 'zone z1', change: 'gained' }]);
  });

  it('instances that move among hosts in use leave the reserve', () => {
    const { model, a, c } = zone();
    const watch = watchReserve(model, [true, true, true]);
    const [instance = -1] = model.instancesOn(a);

    model.move(instance, c);
    for (const host of [a, c]) watch.refresh(host);

    expect(watch.changes()).toEqual([]);
  });

  it('names the domains of a host that lack the room for as many failures as given', () => {
    const { model, c } = zone();
    const lacking = (reserve?: number) => watchReserve(model, [true, true, true], reserve).lacking(c);
    expect([lacking(), lacking(2)]).toEqual([[], ['zone z1']]);
  });
});
