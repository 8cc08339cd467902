import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { createWhatIf } from './create-what-if.ts';

const pinned = { flavorExtraSpecs: { 'hw:cpu_policy': 'dedicated' } };

const worlds = fc.record({
  hosts: fc.array(fc.record({ vcpus: fc.integer({ min: 2, max: 8 }), up: fc.boolean() }), {
    minLength: 2,
    maxLength: 4,
  }),
  instances: fc.array(
    fc.record({
      vcpus: fc.integer({ min: 1, max: 6 }),
      host: fc.nat(),
      dedicated: fc.boolean(),
      locked: fc.boolean(),
      group: fc.constantFrom(undefined, 'apart', 'together'),
    }),
    { minLength: 2, maxLength: 10 },
  ),
});

function build({ hosts, instances }: Parameters<Parameters<typeof worlds.map>[0]>[0]) {
  return createTestWorld({
    hosts: [
      ...hosts.map(({ vcpus, up }, row) => ({
        hostname: `h${row}`,
        vcpus,
        dedicatedCpus: vcpus,
        ...(up ? {} : { state: 'down' as const }),
      })),
      { hostname: 'elsewhere', vcpus: 1000, dedicatedCpus: 1000 },
    ],
    instances: instances.map(({ vcpus, host, dedicated, locked, group }, row) => ({
      name: `i${row}`,
      vcpus,
      host: `h${host % hosts.length}`,
      locked: locked && row % 4 === 0,
      ...(dedicated ? pinned : {}),
      ...(group === undefined ? {} : { group }),
    })),
    groups: [
      { name: 'apart', policy: 'anti-affinity' },
      { name: 'together', policy: 'affinity' },
    ],
  });
}

it('returns the refusal as if the other instance were removed, and changes nothing', () => {
  fc.assert(
    fc.property(worlds, (given) => {
      const snapshot = build(given);
      const model = createWhatIf(snapshot);
      const elsewhere = given.hosts.length;
      const rows = given.instances.map((_, row) => row);
      const refusals = () => rows.map((row) => given.hosts.map((_, host) => model.refusal(row, host)));
      const before = refusals();
      for (const leaving of rows) {
        const gone = createWhatIf(snapshot);
        gone.move(leaving, elsewhere);
        for (const instance of rows.filter((row) => row !== leaving)) {
          given.hosts.forEach((_, host) => {
            const expected = model.hostOf[leaving] === host ? gone.refusal(instance, host) : before[instance]?.[host];
            expect(model.refusalAfter(instance, host, leaving)).toBe(expected);
          });
        }
      }
      expect(refusals()).toEqual(before);
    }),
  );
});

it('lets two instances of full hosts change places, and only where both fit', () => {
  const model = createWhatIf(
    createTestWorld({
      hosts: [
        { hostname: 'a', vcpus: 4 },
        { hostname: 'b', vcpus: 5 },
      ],
      instances: [
        { name: 'large', host: 'a', vcpus: 4 },
        { name: 'small', host: 'b', vcpus: 3 },
        { name: 'rest', host: 'b', vcpus: 2 },
      ],
    }),
  );
  expect(model.refusal(0, 1)).toBe('vcpu');
  expect(model.refusalAfter(0, 1, 1)).toBe('vcpu');
  expect(model.refusalAfter(1, 0, 0)).toBeNull();
  model.move(2, 0);
  expect(model.refusalAfter(0, 1, 1)).toBeNull();
});

it('knows that the other half of a swap comes where an instance is that stays together with it', () => {
  const cloud = createTestWorld({
    hosts: [{ hostname: 'a' }, { hostname: 'b' }],
    instances: ['a', 'b'].map((host) => ({ name: `on-${host}`, host })),
  });
  const rule = { name: 'bound', kind: 'keep_together' as const, isStrict: true, maxPerHost: 1, hosts: null };
  const model = createWhatIf({ ...cloud, rules: [{ ...rule, instances: Int32Array.of(0, 1) }] });
  const [one, other] = [model.hostOf.indexOf(0), model.hostOf.indexOf(1)];
  expect([model.refusal(one, 1), model.refusalAfter(one, 1, other)]).toEqual([null, 'rule-together']);
  expect([model.refusal(other, 0), model.refusalAfter(other, 0, one)]).toEqual([null, 'rule-together']);
});
