import { describe, expect, it } from 'vitest';
import type { WorldFile, WorldServer } from '#libs/world-file';
import { buildCloudState } from '../build-cloud-state.ts';
import type { SimulatedHost, SimulatedServer } from '../cloud/entities.ts';
import { smallWorld } from '../testing/simulation-fixture.ts';
import { refusalOf, selectHost } from './select-host.ts';

function scene(servers: Partial<WorldServer>[], changes: Partial<WorldFile> = {}, adjust?: (world: WorldFile) => void) {
  const world = smallWorld(servers, changes);
  adjust?.(world);
  const context = buildCloudState(world);
  const server = [...context.state.servers.values()][0] as SimulatedServer;
  const request = { server, flavor: server.flavor, requested: null };
  const host = (name: string) => context.state.hosts.get(name) as SimulatedHost;
  return { ...context, server, request, host, refusal: (name: string) => refusalOf(host(name), request, context) };
}

const group = (policy: 'affinity' | 'anti-affinity' | 'soft-anti-affinity', max?: number): Partial<WorldFile> => ({
  server_groups: [{ name: 'g', policy, max_server_per_host: max }],
});

describe('the scheduler refuses', () => {
  it('the current host of the server', () => {
    expect(scene([{}]).refusal('compute-1')).toBe('DifferentFromSource');
  });

  it('a disabled, a forced-down and a dead host', () => {
    const { host, refusal } = scene([{}]);
    host('compute-2').status = 'disabled';
    host('compute-3').alive = false;
    expect([refusal('compute-2'), refusal('compute-3')]).toEqual(['ComputeFilter', 'ComputeFilter']);
    host('compute-3').alive = true;
    expect(refusal('compute-3')).toBeNull();
    host('compute-3').forcedDown = true;
    expect(refusal('compute-3')).toBe('ComputeFilter');
  });

  it('servers that do not fit in Placement, and accepts them with a larger ratio', () => {
    const crowd = [{ flavor: 'large' }, { flavor: 'large', host: 'compute-2' }];
    expect(scene(crowd).refusal('compute-2')).toBe('Placement');
    const roomy = scene(crowd, {}, (world) => {
      for (const host of world.hosts) host.cpu_allocation_ratio = 2;
    });
    expect(roomy.refusal('compute-2')).toBeNull();
    const reserved = scene(crowd, {}, (world) => {
      for (const host of world.hosts) Object.assign(host, { cpu_allocation_ratio: 2, reserved_memory_mb: 1000 });
    });
    expect(reserved.refusal('compute-2')).toBe('Placement');
  });

  it('hosts without a required or with a forbidden trait', () => {
    const { refusal } = scene([{}], {}, (world) => {
      Object.assign(world.flavors[0] ?? {}, {
        extra_specs: { 'trait:CUSTOM_SSD': 'required', 'trait:CUSTOM_OLD': 'forbidden' },
      });
      Object.assign(world.hosts[1] ?? {}, { traits: ['CUSTOM_SSD'] });
      Object.assign(world.hosts[2] ?? {}, { traits: ['CUSTOM_SSD', 'CUSTOM_OLD'] });
    });
    expect([refusal('compute-2'), refusal('compute-3')]).toEqual([null, 'Traits']);
  });

  it.each([
    [{ 'hw:mem_page_size': '1GB' }, 'NUMATopologyFilter'],
    [{ 'hw:mem_page_size': 'small' }, null],
    [{ 'hw:cpu_policy': 'shared' }, null],
    [{ 'hw:numa_nodes': '1' }, 'NUMATopologyFilter'],
    [{ 'pci_passthrough:alias': 'gpu:1' }, 'NUMATopologyFilter'],
    [{ 'hw:cpu_policy': 'dedicated' }, 'Placement'],
    [{ 'resources:PCPU': '1' }, 'Placement'],
    [{ 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '0' }, 'Placement'],
  ])('hosts without known support for %o', (extra_specs, reason) => {
    const { refusal } = scene([{}], {}, (world) => {
      Object.assign(world.flavors[0] ?? {}, { extra_specs });
      Object.assign(world.hosts[2] ?? {}, { traits: ['HW_NUMA_ROOT'], pcpus: 4 });
    });
    expect(refusal('compute-2')).toBe(reason);
    if (reason === 'Placement' || 'hw:numa_nodes' in extra_specs) expect(refusal('compute-3')).toBeNull();
  });

  it.each([
    ['live', 8_001_000, null],
    ['live', 8_000_000, 'CompatibleHypervisor'],
    ['cold', 8_000_000, null],
  ] as const)('a virtual GPU, moved %s from QEMU %i', (way, hypervisor_version, reason) => {
    const { request, host, ...context } = scene([{}], {}, (world) => {
      Object.assign(world.flavors[0] ?? {}, { extra_specs: { 'resources:VGPU': '1' } });
      for (const one of world.hosts) Object.assign(one, { hypervisor_version, vgpus: 1 });
    });
    expect(refusalOf(host('compute-2'), { ...request, way }, context)).toBe(reason);
  });

  it('a server with dedicated CPUs if those are used up, even with free shared ones', () => {
    const pinned = { flavor: 'small' };
    const { refusal } = scene(
      [pinned, { ...pinned, host: 'compute-2' }, { ...pinned, host: 'compute-3' }],
      {},
      (world) => {
        Object.assign(world.flavors[0] ?? {}, {
          extra_specs: { 'hw:cpu_policy': 'dedicated', 'hw:emulator_threads_policy': 'isolate' },
        });
        for (const [row, host] of world.hosts.entries()) Object.assign(host, { pcpus: row === 1 ? 3 : 4 });
      },
    );
    expect([refusal('compute-2'), refusal('compute-3')]).toEqual(['Placement', null]);
  });

  it.each([
    ['require', 'Traits', null],
    ['isolate', null, 'Traits'],
    ['prefer', null, null],
  ])('by the policy "%s" for threads of dedicated CPUs', (policy, plain, hyperthreaded) => {
    const { refusal } = scene(
      [{ image_properties: { hw_cpu_policy: 'dedicated', hw_cpu_thread_policy: policy } }],
      {},
      (world) => {
        for (const host of world.hosts) host.pcpus = 4;
        Object.assign(world.hosts[2] ?? {}, { traits: ['HW_CPU_HYPERTHREADING'] });
      },
    );
    expect([refusal('compute-2'), refusal('compute-3')]).toEqual([plain, hyperthreaded]);
  });

  it('hosts of another cell', () => {
    const { refusal } = scene([{}], {}, (world) => {
      for (const [row, host] of world.hosts.entries()) host.cell = row === 1 ? 'south' : 'north';
    });
    expect([refusal('compute-2'), refusal('compute-3')]).toEqual(['Cell', null]);
  });

  it('hosts that an aggregate reserves for a trait or for other images', () => {
    const aggregates: WorldFile['aggregates'] = [
      { name: 'a', hosts: ['compute-2'], metadata: { 'trait:CUSTOM_LICENSED': 'required' } },
      { name: 'b', hosts: ['compute-3'], metadata: { os_type: 'windows, bsd' } },
    ];
    const plain = scene([{}], { aggregates });
    expect([plain.refusal('compute-2'), plain.refusal('compute-3')]).toEqual(['IsolatedAggregates', null]);
    const linux = scene([{ image_properties: { os_type: 'linux' } }], { aggregates });
    expect(linux.refusal('compute-3')).toBe('AggregateImagePropertiesIsolation');
    expect(scene([{ image_properties: { os_type: 'bsd' } }], { aggregates }).refusal('compute-3')).toBeNull();
  });

  it('hosts outside the pinned zone of the server', () => {
    const { refusal } = scene([{ pinned_zone: 'east' }], {}, (world) => {
      Object.assign(world.hosts[1] ?? {}, { zone: 'east' });
    });
    expect([refusal('compute-2'), refusal('compute-3')]).toEqual([null, 'AvailabilityZone']);
  });

  it('hosts that an aggregate reserves for other projects', () => {
    const isolate = (project: string) => ({
      aggregates: [{ name: 'a', hosts: ['compute-2'], metadata: { filter_tenant_id: project } }],
    });
    expect(scene([{}], isolate('somebody-else')).refusal('compute-2')).toBe('AggregateMultiTenancyIsolation');
    const own = scene([{}]).server.projectId;
    expect(scene([{}], isolate(own)).refusal('compute-2')).toBeNull();
  });

  it('hosts outside the aggregates that the flavor requires', () => {
    const { refusal } = scene(
      [{}],
      { aggregates: [{ name: 'a', hosts: ['compute-2'], metadata: { ssd: 'true' } }] },
      (world) => {
        Object.assign(world.flavors[0] ?? {}, { extra_specs: { 'aggregate_instance_extra_specs:ssd': 'true' } });
      },
    );
    expect([refusal('compute-2'), refusal('compute-3')]).toEqual([null, 'AggregateInstanceExtraSpecsFilter']);
  });

  it('every host for a server with a volume that only its host can access', () => {
    const volumes = { volumes: [{ name: 'v', size_gb: 1, pool: 'compute-1@local#lvm' }] };
    const pools = (host_bound: boolean) => [{ name: 'compute-1@local#lvm', total_gb: 10, host_bound }];
    const server = { volumes: ['v'] };
    expect(scene([server], { ...volumes, pools: pools(true) }).refusal('compute-2')).toBe('LocalVolumes');
    expect(scene([server], { ...volumes, pools: pools(false) }).refusal('compute-2')).toBeNull();
  });

  it('hosts that break anti-affinity, up to the maximum of servers per host', () => {
    const members = [{ group: 'g' }, { group: 'g', host: 'compute-2' }];
    expect(scene(members, group('anti-affinity')).refusal('compute-2')).toBe('ServerGroupAntiAffinityFilter');
    expect(scene(members, group('anti-affinity', 2)).refusal('compute-2')).toBeNull();
  });

  it('hosts that split an affinity group', () => {
    const { refusal } = scene([{ group: 'g' }, { group: 'g' }], group('affinity'));
    expect(refusal('compute-2')).toBe('ServerGroupAffinityFilter');
  });

  it.each<[object, (string | null)[]]>([
    [{ different_host: ['vm-2'] }, ['DifferentHostFilter', null]],
    [{ different_host: ['vm-2', 'vm-3'] }, ['DifferentHostFilter', 'DifferentHostFilter']],
    [{ same_host: 'vm-2' }, [null, 'SameHostFilter']],
    [{ same_host: ['vm-2', 'vm-3'] }, [null, null]],
    [{ same_host: ['deleted'] }, ['SameHostFilter', 'SameHostFilter']],
    [{ query: '["=", "$host", "compute-3"]' }, ['JsonFilter', null]],
    [{ query: '["and", [">=", "$free_ram_mb", 1024], ["not", ["in", "$host", "compute-3"]]]' }, [null, 'JsonFilter']],
    [{ build_near_host_ip: '10.0.0.9', cidr: '/24' }, [null, 'SimpleCIDRAffinityFilter']],
    [{ build_near_host_ip: '10.0.0.9', cidr: '/16' }, [null, null]],
    [{ anything: 'else' }, [null, null]],
  ])('hosts by the hint %o', (scheduler_hints, expected) => {
    const others = [{ host: 'compute-2' }, { host: 'compute-3' }];
    const { refusal } = scene([{ scheduler_hints } as Partial<WorldServer>, ...others], {}, ({ hosts }) => {
      for (const [row, host] of hosts.entries()) host.host_ip = row === 2 ? '10.0.7.1' : `10.0.0.${row + 1}`;
    });
    expect([refusal('compute-2'), refusal('compute-3')]).toEqual(expected);
  });

  it.each<[Record<string, string>, (string | null)[]]>([
    [{ 'capabilities:hypervisor_hostname': 'compute-3' }, ['ComputeCapabilitiesFilter', null]],
    [{ hypervisor_hostname: '<or> compute-2 <or> x' }, [null, 'ComputeCapabilitiesFilter']],
    [{ 'capabilities:cpu_info:features': '<all-in> avx2 pge' }, [null, null]],
    [{ 'capabilities:nothing': 'x' }, ['ComputeCapabilitiesFilter', 'ComputeCapabilitiesFilter']],
    [{ 'hw:maxphysaddr_bits': '42' }, ['ComputeCapabilitiesFilter', null]],
    [{ unscoped: 'x', 'quota:cpu': '1' }, [null, null]],
  ])('hosts without the capabilities of %o', (extra_specs, expected) => {
    const { refusal } = scene([{}], {}, ({ flavors, hosts }) => {
      Object.assign(flavors[0] ?? {}, { extra_specs });
      Object.assign(hosts[2] ?? {}, { cpu_address_bits: 46 });
    });
    expect([refusal('compute-2'), refusal('compute-3')]).toEqual(expected);
  });

  it('with the number of hosts that each filter removed', () => {
    const { request, state, ledger, host } = scene([{}]);
    host('compute-2').status = 'disabled';
    host('compute-3').alive = false;
    try {
      selectHost(request, { state, ledger });
      expect.unreachable();
    } catch (error) {
      expect([...(error as { reasons: Map<string, number> }).reasons]).toEqual([
        ['DifferentFromSource', 1],
        ['ComputeFilter', 2],
      ]);
    }
  });
});

describe('the scheduler chooses', () => {
  it('the host with the most free memory', () => {
    const { request, state, ledger } = scene([{}, { host: 'compute-2' }]);
    expect(selectHost(request, { state, ledger }).name).toBe('compute-3');
  });

  it('a host that meets a soft policy before one with more memory', () => {
    const { request, state, ledger } = scene(
      [{ group: 'g' }, { group: 'g', host: 'compute-3' }, { host: 'compute-2', flavor: 'large' }],
      group('soft-anti-affinity'),
    );
    expect(selectHost(request, { state, ledger }).name).toBe('compute-2');
  });
});
