import { buildComputeSnapshot } from '#libs/cluster-model';
import { InvalidInputError } from '#libs/domain';
import {
  type HostOverheads,
  hostOverheads,
  type LoadColumn,
  type RecordedLoad,
  type WorldFile,
  withIds,
} from '#libs/world-file';
import type { PowerModel } from '../../replay/power-models.ts';
import { type DayHost, type DayInstance, type DayLoad, type DayWorld, stepSeconds } from '../../replay/replay-world.ts';
import { bySteps } from '../../replay/step-series.ts';
import { hostUuid, listingsOf, uuidOf } from './world-listings.ts';

/**
 * Converts a recording to a world for replays. Instances are on their hosts of the end of the recording, from the
 * start or their creation on.
 * @param watts power of every host
 * @throws InvalidInputError for a world without recorded load, and for a load with steps other than 5 minutes
 */
export function recordedDay(file: WorldFile, load: RecordedLoad | null, watts: PowerModel): DayWorld {
  if (load === null || load.steps === 0) throw new InvalidInputError('file', 'the world has no recorded load');
  if (load.stepSeconds !== stepSeconds)
    throw new InvalidInputError('file', `its load is of ${load.stepSeconds} s, only ${stepSeconds} s can be replayed`);
  const world = withIds(file);
  const listings = listingsOf(world);
  return {
    ...{ name: world.name, startMs: load.startMs, steps: load.steps, failures: [] },
    load: loadOf(world, load),
    hosts: hostsOf(world, watts),
    instances: instancesOf(world, load),
    snapshot(_, { hosts, hostOf }, takenAtMs) {
      const isUp = (row: number) => hosts[row]?.power === 'on' && !hosts[row]?.failed;
      return buildComputeSnapshot({
        ...listings,
        takenAtMs,
        hypervisors: listings.hypervisors.map((one, row) => ({ ...one, state: isUp(row) ? 'up' : 'down' })),
        services: listings.services.map((service, row) => ({
          ...service,
          state: isUp(row) ? 'up' : 'down',
          status: hosts[row]?.enabled ? 'enabled' : 'disabled',
          disabledReason: hosts[row]?.disabledReason ?? null,
        })),
        servers: listings.servers.flatMap((server, row) => {
          const host = world.hosts[hostOf[row] ?? -1]?.hostname;
          return host === undefined ? [] : [{ ...server, host, hypervisorHostname: host }];
        }),
      });
    },
  };
}

function loadOf(world: WorldFile, load: RecordedLoad): DayLoad {
  const { steps, percentStep: byteUnit } = load;
  const servers = (column: LoadColumn) => ({
    ...bySteps(load.columns[column], { rows: world.servers.length, steps }),
    byteUnit,
  });
  const overheads = hostOverheads(world, load);
  const hosts = (name: keyof HostOverheads) => bySteps(overheads[name], { rows: world.hosts.length, steps });
  return {
    cpu: servers('serverCpu'),
    memory: servers('serverMemory'),
    overhead: { cpu: hosts('cpu'), memoryMb: hosts('memoryMb') },
  };
}

function hostsOf(world: WorldFile, watts: PowerModel): DayHost[] {
  const nodes = new Map((world.baremetal_nodes ?? []).map((node) => [node.host ?? '', node]));
  return world.hosts.map((host) => {
    const { hostname: name, cpu_allocation_ratio: cpus = 1, ram_allocation_ratio: ram = 1 } = host;
    const node = nodes.get(name);
    return {
      ...{ name, uuid: hostUuid(host), vcpus: host.vcpus + (host.pcpus ?? 0), memoryMb: host.memory_mb, watts },
      room: {
        vcpus: (host.vcpus - (host.reserved_vcpus ?? 0)) * cpus + (host.pcpus ?? 0),
        memoryMb: (host.memory_mb - (host.reserved_memory_mb ?? 512)) * ram,
      },
      node: node === undefined ? null : { uuid: node.uuid ?? node.name, name: node.name },
      initial: {
        enabled: host.status !== 'disabled',
        disabledReason: host.disabled_reason ?? null,
        power: node?.power_state === 'power off' ? 'off' : 'on',
        failed: host.state === 'down' && node?.power_state !== 'power off',
      },
    };
  });
}

function instancesOf(world: WorldFile, load: RecordedLoad): DayInstance[] {
  const flavors = new Map(world.flavors.map((flavor) => [flavor.name, flavor]));
  const hostRows = new Map(world.hosts.map(({ hostname }, row) => [hostname, row]));
  return world.servers.map((server) => {
    const { vcpus, ram_mb: memoryMb } = flavors.get(server.flavor)!;
    const createdMs = Date.parse(server.created ?? '') || 0;
    const arrives = Math.ceil((createdMs - load.startMs) / (stepSeconds * 1000));
    return {
      ...{ name: server.name, uuid: uuidOf(server), vcpus, memoryMb, departs: load.steps },
      arrives: Math.min(load.steps - 1, Math.max(0, arrives)),
      host: hostRows.get(server.host) ?? 0,
    };
  });
}
