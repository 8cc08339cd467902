import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTestWorld, type TestHost, type TestInstance, type TestWorld } from '#libs/plugin-kit/testing';
import { createWhatIf } from './create-what-if.ts';
import type { ConstraintName } from './what-if.ts';

/** Instance 0 on `a`, with a requested move to `b`. */
function refusal(instance: Partial<TestInstance>, destination: Partial<TestHost>, world: Partial<TestWorld> = {}) {
  const snapshot = createTestWorld({
    ...world,
    hosts: [{ hostname: 'a' }, { hostname: 'b', ...destination }, ...(world.hosts ?? [])],
    instances: [{ name: 'vm', host: 'a', ...instance }, ...(world.instances ?? [])],
  });
  return createWhatIf(snapshot).refusal(0, 1);
}

const dead: Partial<TestWorld> = {
  hosts: [
    { hostname: 'dead', state: 'down' },
    { hostname: 'fenced', forcedDown: true },
  ],
};

const made: Partial<TestWorld> = {
  hosts: [
    {
      hostname: 'made',
      hypervisor: { type: 'QEMU', version: 7, architecture: 'x86_64', cpuModel: 'Cascadelake-Server' },
    },
  ],
};

type Case = [string, ConstraintName | null, Partial<TestInstance>, Partial<TestHost>, Partial<TestWorld>?];

describe('what-if refusals', () => {
  it.each<Case>([
    ['an ordinary move', null, {}, {}],
    ['a stopped instance', null, { state: 'stopped' }, {}],
    ['a paused instance', null, { state: 'paused' }, {}],
    ['an instance in error', 'instance-state', { state: 'error' }, {}],
    ['an instance on no host', 'instance-state', { host: null }, {}],
    ['a locked instance', 'instance-locked', { locked: true }, {}],
    ['an excluded instance', 'instance-excluded', { excluded: true, locked: true }, {}],
    ['an instance with a volume that only its host reaches', 'volume-bound', { volumeBound: true }, {}],
    ['a busy instance', 'instance-busy', { busy: true }, {}],
    ['an instance with a share', 'manila-share', { shares: 'attached' }, {}],
    ['an instance with SR-IOV', 'port-device', { ports: 'device' }, {}],
    ['an instance whose shares were not read', 'shares-unknown', { shares: 'unknown' }, {}],
    ['an active instance whose guest is off', 'instance-state', { powerState: 4 }, {}],
    ['an instance on a host that is down', 'source-down', { host: 'dead' }, {}, dead],
    ['a stopped instance on a host that is down', 'source-down', { host: 'dead', state: 'stopped' }, {}, dead],
    ['an instance on a host that was forced down', 'source-down', { host: 'fenced' }, {}, dead],
    ...(
      [
        ['newer', { version: 8 }, null, null],
        ['older', { version: 6 }, 'hypervisor-version', null],
        ['of unknown version', {}, null, null],
        ['of another type', { type: 'VMware' }, 'hypervisor-type', 'hypervisor-type'],
        ['of another architecture', { architecture: 'aarch64' }, 'cpu-architecture', 'cpu-architecture'],
        ['with another CPU', { version: 7, cpuModel: 'EPYC' }, 'cpu-model', null],
      ] as const
    ).flatMap(([what, hypervisor, live, cold]): Case[] => [
      [`live to a hypervisor ${what}`, live, { host: 'made' }, { hypervisor }, made],
      [`cold to a hypervisor ${what}`, cold, { host: 'made', state: 'stopped' }, { hypervisor }, made],
    ]),
    ['groups that could not be read', 'server-groups-unknown', {}, {}, { groupsUnknown: true }],
    ['a host that is down', 'host-down', {}, { state: 'down' }],
    ['a host that was forced down', 'host-down', {}, { forcedDown: true }],
    ['a disabled host', 'host-disabled', {}, { status: 'disabled' }],
    ['huge pages', 'huge-pages', { flavorExtraSpecs: { 'hw:mem_page_size': 'large' } }, {}],
    ['small pages', null, { flavorExtraSpecs: { 'hw:mem_page_size': 'small' } }, {}],
    ['NUMA nodes', 'numa', { flavorExtraSpecs: { 'hw:numa_nodes': '2' } }, {}],
    [
      'NUMA nodes where the host shows its own',
      null,
      { flavorExtraSpecs: { 'hw:numa_nodes': '2' } },
      { traits: ['HW_NUMA_ROOT'] },
    ],
    ['dedicated CPUs', 'dedicated-cpu', { flavorExtraSpecs: { 'hw:cpu_policy': 'dedicated' } }, {}],
    ['named dedicated CPUs', 'dedicated-cpu', { flavorExtraSpecs: { 'resources:PCPU': '2' } }, {}],
    ['dedicated CPUs by the image', 'dedicated-cpu', { imageProperties: { hw_cpu_policy: 'dedicated' } }, {}],
    ['huge pages by the image', 'huge-pages', { imageProperties: { hw_mem_page_size: '2MB' } }, {}],
    ['NUMA nodes by the image', 'numa', { imageProperties: { hw_numa_nodes: '1' } }, {}],
    ['a trait that the image requires', 'trait', { imageProperties: { 'trait:CUSTOM_A': 'required' } }, {}],
    ...(['isolate', 'require'] as const).flatMap((policy): Case[] =>
      [true, false].map((hyperthreaded): Case => {
        const flavorExtraSpecs = { 'hw:cpu_policy': 'dedicated', 'hw:cpu_thread_policy': policy };
        const host = { dedicatedCpus: 4, traits: hyperthreaded ? ['HW_CPU_HYPERTHREADING'] : [] };
        const fits = (policy === 'require') === hyperthreaded;
        return [`${policy}, hyperthreads: ${hyperthreaded}`, fits ? null : 'trait', { flavorExtraSpecs }, host];
      }),
    ),
    [
      'a dedicated CPU for emulator threads',
      'dedicated-cpu',
      { vcpus: 4, flavorExtraSpecs: { 'hw:cpu_policy': 'dedicated', 'hw:emulator_threads_policy': 'isolate' } },
      { dedicatedCpus: 4 },
    ],
    ...(
      [
        ['0-1', 2, 2, null],
        ['0-1', 1, 2, 'dedicated-cpu'],
        ['0-1', 2, 1, 'vcpu'],
        ['^0', 3, 1, null],
        ['^0', 2, 1, 'dedicated-cpu'],
        ['0-3,^1', 3, 1, null],
      ] as const
    ).map(([mask, dedicatedCpus, vcpus, expected]): Case => {
      const flavorExtraSpecs = { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': mask };
      return [
        `mask ${mask} of 4 on ${dedicatedCpus}+${vcpus} CPUs`,
        expected,
        { vcpus: 4, flavorExtraSpecs },
        { dedicatedCpus, vcpus },
      ];
    }),
    ...[
      'pci_passthrough:alias',
      'resources:VGPU',
      'resources:CUSTOM_GOLD',
      'resources1:VCPU',
      'accel:device_profile',
    ].map(
      (key): Case => [`what only Nova counts: ${key}`, 'uncounted-resource', { flavorExtraSpecs: { [key]: '1' } }, {}],
    ),
    ['encrypted memory', 'uncounted-resource', { imageProperties: { hw_mem_encryption: 'true' } }, {}],
    ['explicit shared CPUs', null, { flavorExtraSpecs: { 'resources:VCPU': '1' } }, {}],
    ['more shared CPUs than it shows', 'vcpu', { flavorExtraSpecs: { 'resources:VCPU': '8' } }, { vcpus: 4 }],
    ['fewer shared CPUs than it shows', null, { vcpus: 8, flavorExtraSpecs: { 'resources:VCPU': '2' } }, { vcpus: 4 }],
    ...(
      [
        ['of its owner', undefined, 'vtpm', 'vtpm'],
        ['of its owner, as is said', 'user', 'vtpm', 'vtpm'],
        ['of its host', 'host', null, 'vtpm'],
        ['of the deployment, where no host serves it', 'deployment', 'trait', 'vtpm'],
      ] as const
    ).flatMap(([whose, secret, live, cold]): Case[] => {
      const flavorExtraSpecs: Record<string, string> = { 'hw:tpm_version': '2.0' };
      if (secret !== undefined) flavorExtraSpecs['hw:tpm_secret_security'] = secret;
      const traits = ['COMPUTE_SECURITY_TPM_2_0', 'COMPUTE_SECURITY_TPM_SECRET_SECURITY_HOST'];
      return [
        [`an emulated TPM with the secret ${whose}`, live, { flavorExtraSpecs }, { traits }],
        [`a stopped one with the secret ${whose}`, cold, { flavorExtraSpecs, state: 'stopped' }, { traits }],
      ];
    }),
    ['an emulated TPM by the image', 'vtpm', { imageProperties: { hw_tpm_version: '2.0' } }, {}],
    ['another cell', 'cell', {}, { cell: 'south' }],
    ['a stopped instance, another cell', 'cell', { state: 'stopped' }, { cell: 'south' }],
    [
      'a host kept for a trait',
      'aggregate-isolation',
      {},
      { aggregates: ['kept'] },
      { aggregates: [{ name: 'kept', metadata: { 'trait:CUSTOM_A': 'required' } }] },
    ],
    ...(
      [
        ['windows', null],
        ['linux', 'aggregate-isolation'],
      ] as const
    ).map(
      ([os_type, expected]): Case => [
        `a host kept for other images than ${os_type}`,
        expected,
        { imageProperties: { os_type } },
        { aggregates: ['windows'] },
        { aggregates: [{ name: 'windows', metadata: { os_type: 'windows, bsd' } }] },
      ],
    ),
    ['the last free vcpus', null, { vcpus: 4 }, { vcpus: 8, used: { vcpus: 4 } }],
    ['one vcpu too many', 'vcpu', { vcpus: 5 }, { vcpus: 8, used: { vcpus: 4 } }],
    ['overcommitted vcpus', null, { vcpus: 5 }, { vcpus: 8, vcpusRatio: 2, used: { vcpus: 8 } }],
    ['an instance bigger than the physical host', 'vcpu', { vcpus: 9 }, { vcpus: 8, vcpusRatio: 16 }],
    ['reserved memory', 'memory', { memory: 3 }, { memory: 4, memoryReserved: 2 }],
    ['a full disk', 'disk', { disk: 20 }, { disk: 30, used: { disk: 11 } }],
    ['a full disk that is not wanted', null, { bootedFromVolume: true }, { disk: 30, used: { disk: 40 } }],
    ['the pinned zone', null, { pinnedZone: 'z2' }, { zone: 'z2' }],
    ['another zone than the pinned one', 'zone', { pinnedZone: 'z1' }, { zone: 'z2' }],
    [
      'an anti-affinity group that is already there',
      'anti-affinity',
      { group: 'g' },
      {},
      { groups: [{ name: 'g', policy: 'anti-affinity' }], instances: [{ name: 'other', host: 'b', group: 'g' }] },
    ],
    [
      'an anti-affinity group that admits two',
      null,
      { group: 'g' },
      {},
      {
        groups: [{ name: 'g', policy: 'anti-affinity', maxServerPerHost: 2 }],
        instances: [{ name: 'other', host: 'b', group: 'g' }],
      },
    ],
    [
      'a soft group',
      null,
      { group: 'g' },
      {},
      { groups: [{ name: 'g', policy: 'soft-anti-affinity' }], instances: [{ name: 'other', host: 'b', group: 'g' }] },
    ],
    [
      'an affinity group that stays behind',
      'affinity',
      { group: 'g' },
      {},
      { groups: [{ name: 'g', policy: 'affinity' }], instances: [{ name: 'other', host: 'a', group: 'g' }] },
    ],
    [
      'an affinity group that was torn and meets again',
      null,
      { group: 'g' },
      {},
      { groups: [{ name: 'g', policy: 'affinity' }], instances: [{ name: 'other', host: 'b', group: 'g' }] },
    ],
    ['a required trait', 'trait', { flavorExtraSpecs: { 'trait:SSD': 'required' } }, {}],
    ['a required trait that is there', null, { flavorExtraSpecs: { 'trait:SSD': 'required' } }, { traits: ['SSD'] }],
    ['a forbidden trait', 'trait', { flavorExtraSpecs: { 'trait:SSD': 'forbidden' } }, { traits: ['SSD'] }],
    [
      'a host reserved for other projects',
      'aggregate-isolation',
      { projectId: 'p1' },
      { aggregates: ['x'] },
      { aggregates: [{ name: 'x', metadata: { filter_tenant_id: 'p2, p3' } }] },
    ],
    [
      'a host reserved for the project',
      null,
      { projectId: 'p3' },
      { aggregates: ['x'] },
      { aggregates: [{ name: 'x', metadata: { filter_tenant_id: 'p2, p3' } }] },
    ],
    [
      'metadata of an aggregate that the flavor wants',
      'aggregate-isolation',
      { flavorExtraSpecs: { 'aggregate_instance_extra_specs:gpu': 'yes' } },
      {},
    ],
    [
      'an unscoped extra spec that some aggregate uses',
      'aggregate-isolation',
      { flavorExtraSpecs: { gpu: 'yes' } },
      { aggregates: ['x'] },
      { aggregates: [{ name: 'x', metadata: { gpu: 'no' } }] },
    ],
    [
      'alternatives in an extra spec',
      null,
      { flavorExtraSpecs: { gpu: '<or> yes <or> maybe' } },
      { aggregates: ['x'] },
      { aggregates: [{ name: 'x', metadata: { gpu: 'maybe' } }] },
    ],
    ['an extra spec that no aggregate knows', null, { flavorExtraSpecs: { 'hw:watchdog_action': 'none' } }, {}],
  ])('%s: %s', (_, expected, instance, host, world) => {
    expect(refusal(instance, host, world)).toBe(expected);
  });

  it('knows the host that the instance is on, and can ignore that a host is disabled', () => {
    const model = createWhatIf(
      createTestWorld({
        hosts: [{ hostname: 'a' }, { hostname: 'b', status: 'disabled' }],
        instances: [{ name: 'vm', host: 'a' }],
      }),
    );
    expect(model.refusal(0, 0)).toBe('same-host');
    expect(model.refusal(0, 1, { allowDisabled: true })).toBeNull();
    model.setEnabled(1, true);
    expect(model.refusal(0, 1)).toBeNull();
    model.setEnabled(1, false);
    expect(model.refusal(0, 1)).toBe('host-disabled');
  });

  it('finds rows by name', () => {
    const model = createWhatIf(createTestWorld({ hosts: [{ hostname: 'a' }, { hostname: 'b' }] }));
    expect([model.hostRow('b'), model.hostRow('x'), model.instanceRow('x')]).toEqual([1, undefined, undefined]);
  });
});

const world = fc.record({
  hosts: fc.array(fc.record({ vcpus: fc.integer({ min: 2, max: 16 }), ratio: fc.constantFrom(1, 1.5, 4) }), {
    minLength: 2,
    maxLength: 5,
  }),
  instances: fc.array(
    fc.record({ vcpus: fc.integer({ min: 1, max: 6 }), host: fc.nat(), group: fc.constantFrom(undefined, 'g', 'h') }),
    { minLength: 1, maxLength: 12 },
  ),
  moves: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 30 }),
});

function build({
  hosts,
  instances,
}: {
  hosts: { vcpus: number; ratio: number }[];
  instances: { vcpus: number; host: number; group?: string }[];
}) {
  return createTestWorld({
    hosts: hosts.map(({ vcpus, ratio }, row) => ({ hostname: `h${row}`, vcpus, vcpusRatio: ratio })),
    instances: instances.map(({ vcpus, host, group }, row) => ({
      name: `i${row}`,
      vcpus,
      host: `h${host % hosts.length}`,
      ...(group === undefined ? {} : { group }),
    })),
    groups: [
      { name: 'g', policy: 'anti-affinity', maxServerPerHost: 2 },
      { name: 'h', policy: 'affinity' },
    ],
  });
}

describe('what-if moves, on random worlds', () => {
  it('keep used room equal to the sum over instances, and leave the snapshot alone', () => {
    fc.assert(
      fc.property(world, (given) => {
        const snapshot = build(given);
        const before = structuredClone(snapshot.instances.host);
        const model = createWhatIf(snapshot);
        for (const [instance, host] of given.moves) {
          model.move(instance % given.instances.length, host % given.hosts.length);
        }
        given.hosts.forEach((_, host) => {
          const here = [...model.hostOf].flatMap((on, row) => (on === host ? row : []));
          expect([...model.instancesOn(host)].sort((a, b) => a - b)).toEqual(here);
          const sum = here.reduce((total, row) => total + (snapshot.instances.vcpus[row] as number), 0);
          expect(model.used(host).vcpus).toBeCloseTo(sum);
          expect(model.free(host).vcpus).toBeCloseTo(model.capacity(host).vcpus - sum);
        });
        expect(snapshot.instances.host).toEqual(before);
      }),
    );
  });

  it('can be taken back', () => {
    fc.assert(
      fc.property(world, (given) => {
        const model = createWhatIf(build(given));
        const picture = () => given.hosts.map((_, host) => [model.used(host), [...model.instancesOn(host)].sort()]);
        const refusals = () =>
          given.instances.map((_, instance) => given.hosts.map((_, host) => model.refusal(instance, host)));
        const before = [picture(), refusals()];
        const done: [number, number][] = [];
        for (const [instance, host] of given.moves) {
          const row = instance % given.instances.length;
          done.push([row, model.hostOf[row] as number]);
          model.move(row, host % given.hosts.length);
        }
        for (const [row, from] of done.reverse()) model.move(row, from);
        expect([picture(), refusals()]).toEqual(before);
      }),
    );
  });

  it('that are not refused keep capacities and groups', () => {
    fc.assert(
      fc.property(world, (given) => {
        const snapshot = build(given);
        const model = createWhatIf(snapshot);
        const membersOn = (host: number, group: number) =>
          model.instancesOn(host).filter((row) => snapshot.instances.group[row] === group).length;
        for (const [instance, host] of given.moves) {
          const row = instance % given.instances.length;
          const to = host % given.hosts.length;
          if (model.refusal(row, to) !== null) continue;
          model.move(row, to);
          expect(model.free(to).vcpus).toBeGreaterThanOrEqual(-1e-6);
          if (snapshot.instances.group[row] === 0) expect(membersOn(to, 0)).toBeLessThanOrEqual(2);
          if (snapshot.instances.group[row] === 1) expect(membersOn(to, 1)).toBeGreaterThan(1);
        }
      }),
    );
  });
});

it('counts dedicated CPUs apart from shared ones, as instances move', () => {
  const pinned = { vcpus: 4, flavorExtraSpecs: { 'hw:cpu_policy': 'dedicated' } };
  const world = createTestWorld({
    hosts: [{ hostname: 'a' }, { hostname: 'b', vcpus: 4, used: { vcpus: 4 } }],
    instances: [
      { name: 'vm1', host: 'a', ...pinned },
      { name: 'vm2', host: 'a', ...pinned },
      { name: 'vm3', host: 'a', ...pinned },
    ],
  });
  const dedicatedCpus = { total: 10, capacity: 10, used: 2 };
  const [a, b] = world.hostInfo;
  const hostInfo = [a, b].flatMap((host) => (host === undefined ? [] : { ...host, dedicatedCpus }));
  const model = createWhatIf({ ...world, hostInfo });
  expect(model.refusal(0, 1)).toBeNull();
  model.move(0, 1);
  expect(model.refusal(1, 1)).toBeNull();
  model.move(1, 1);
  expect(model.used(1).vcpus).toBe(4);
  expect(model.refusal(2, 1)).toBe('dedicated-cpu');
  model.move(0, 0);
  expect(model.refusal(2, 1)).toBeNull();
});
