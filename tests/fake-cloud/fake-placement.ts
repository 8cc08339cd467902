import type { Inventory, PlacementPort } from '#libs/openstack';
import type { FakeCaller } from './fake-caller.ts';
import { type FakeHost, type FakeServer, fakeFlavors, fakeHypervisor } from './world.ts';

/** Placement of a fake cloud: each host is a provider of its processors and memory, which its servers use. */
export function createFakePlacement(
  {
    hosts,
    servers,
    leftOn,
  }: {
    hosts: Map<string, FakeHost>;
    servers: Map<string, FakeServer>;
    /** Servers that hold room on a host although they run elsewhere. */
    leftOn(host: string): FakeServer[];
  },
  caller: FakeCaller,
): PlacementPort {
  const hostOf = (uuid: string) => [...hosts.values()].find((host) => fakeHypervisor(host).uuid === uuid);
  return {
    listResourceProviders: () => caller.call('listResourceProviders', '', () => []),
    listSharingProviders: () => caller.call('listSharingProviders', '', () => []),
    getInventories: (uuid) =>
      caller.call('getInventories', uuid, () => {
        const host = hostOf(uuid);
        if (!host) return null;
        const { vcpus, memoryMb } = fakeHypervisor(host);
        return { VCPU: inventory(vcpus ?? 0), MEMORY_MB: inventory(memoryMb ?? 0) };
      }),
    getAllocations: (uuid) =>
      caller.call('getAllocations', uuid, () => {
        const host = hostOf(uuid);
        if (!host) return null;
        const own = [...servers.values()].filter((server) => server.host === host.name);
        return new Map([...own, ...leftOn(host.name)].map((server) => [server.uuid, allocationOf(server)]));
      }),
    hasCandidates: (query) => caller.call('hasCandidates', JSON.stringify(query), () => true),
    getTraits: (uuid) => caller.call('getTraits', uuid, () => []),
  };
}

function inventory(total: number): Inventory {
  return { total, reserved: 0, allocationRatio: 1, minUnit: 1, maxUnit: total, stepSize: 1 };
}

function allocationOf(server: FakeServer): Record<string, number> {
  const flavor = fakeFlavors.find(({ name }) => name === server.flavor);
  return { VCPU: flavor?.vcpus ?? 1, MEMORY_MB: flavor?.ramMb ?? 512 };
}
