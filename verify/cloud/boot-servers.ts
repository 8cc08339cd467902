import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '#libs/domain';
import type { Cloud, ComputeService, Server } from '#libs/openstack';
import type { Draw } from '#libs/random-worlds';
import type { RawHttp } from '../../tests/cloud-contract/raw-http.ts';
import { type Peculiarity, type Place, serverKinds } from './server-kinds.ts';

/** Servers, flavors and groups of a run carry this prefix, so that a later run can remove those of an aborted one. */
export const prefix = 'vigil-verify-';
const policies = ['affinity', 'anti-affinity', 'soft-anti-affinity'];
/** Microversion of requests to Nova. */
export const version = '2.104';
/** Concurrent requests. */
const width = 4;
/** Longest wait for a wave of boots, in milliseconds per server. */
const patienceMs = 20_000;

/** The cloud in which servers are booted, and its requests. */
export interface Cloudy {
  cloud: Cloud;
  raw: RawHttp;
  onProgress: (line: string) => void;
}

/** The booted servers. */
export interface BootedServers {
  /** Kind of each by uuid. */
  kinds: ReadonlyMap<string, string>;
  /** Peculiarity of each by uuid. */
  peculiarities: ReadonlyMap<string, Peculiarity>;
  /** Policy of each server group by its id. */
  policies: ReadonlyMap<string, string>;
  /** Servers that found no host, by kind. They are deleted. */
  unplaced: Readonly<Record<string, number>>;
  /** Deletes the servers, flavors and groups. */
  remove(): Promise<void>;
}

type Identified = { id: string };

interface Drawn {
  kind: string;
  /** Place in the order of boots, in the name of the server. */
  number: number;
  peculiarity: Peculiarity;
}

/**
 * Boots `count` servers of all kinds, half of the unlimited ones on a third of the hosts. The first two fifths are
 * plain, so that hints can name them.
 */
export async function bootServers(target: Cloudy, count: number, draw: Draw): Promise<BootedServers> {
  const { cloud, onProgress } = target;
  const send = sender(target);
  const kinds = new Map<string, string>();
  const peculiarities = new Map<string, Peculiarity>();
  const unplaced: Record<string, number> = {};
  const flavors = new Map<string, Promise<string>>();
  const changes = new Map<string, NonNullable<Peculiarity['afterwards']>>();
  await removeLeftovers(target, send);
  const place = await findPlace(target, send);
  const { images } = (await send('GET', '/v2/images', undefined, 'image')) as { images: Identified[] };
  const imageRef = images[0]?.id;
  if (imageRef === undefined) throw new Error('the cloud has no image');
  const crowded = place.hosts.slice(0, Math.ceil(place.hosts.length / 3));

  function flavorOf(size: { vcpus: number; ram: number }, extraSpecs: Record<string, string>): Promise<string> {
    const key = JSON.stringify([size, extraSpecs]);
    const known = flavors.get(key) ?? makeFlavor(`${prefix}${flavors.size}`, size, extraSpecs);
    flavors.set(key, known);
    return known;
  }

  async function makeFlavor(name: string, size: object, extraSpecs: Record<string, string>): Promise<string> {
    const { flavor } = (await send('POST', '/flavors', { flavor: { name, ...size, disk: 1 } })) as {
      flavor: Identified;
    };
    if (Object.keys(extraSpecs).length > 0) {
      await send('POST', `/flavors/${flavor.id}/os-extra_specs`, { extra_specs: extraSpecs });
    }
    return flavor.id;
  }

  async function boot({ kind, number, peculiarity }: Drawn): Promise<void> {
    const size = draw.pick([
      { vcpus: 1, ram: 128 },
      { vcpus: 1, ram: 256 },
      { vcpus: 2, ram: 512 },
    ]);
    const isFree = peculiarity.hints === undefined && peculiarity.extraSpecs === undefined && !peculiarity.fields;
    const server = {
      name: `${prefix}${String(number).padStart(3, '0')}-${kind}`,
      flavorRef: await flavorOf(size, peculiarity.extraSpecs ?? {}),
      networks: 'none',
      ...(isFree && draw.chance(0.5) ? { host: draw.pick(crowded) } : {}),
      imageRef,
      ...(peculiarity.withVolume ? { block_device_mapping_v2: disks(imageRef as string) } : {}),
      ...peculiarity.fields,
    };
    const response = await send('POST', '/servers', { server, 'os:scheduler_hints': peculiarity.hints ?? {} });
    const { id } = (response as { server: Identified }).server;
    kinds.set(id, kind);
    peculiarities.set(id, peculiarity);
    if (peculiarity.afterwards) changes.set(id, peculiarity.afterwards);
  }

  async function wave(drawn: readonly Drawn[]): Promise<void> {
    for (let at = 0; at < drawn.length; at += width) {
      const boots = await Promise.allSettled(drawn.slice(at, at + width).map(boot));
      for (const one of boots) if (one.status === 'rejected') throw one.reason;
    }
    const servers = await settled(target, drawn.length, (server) => server.status !== 'BUILD');
    for (const { uuid } of servers.filter(({ status }) => status === 'ERROR')) {
      const kind = kinds.get(uuid) ?? '';
      unplaced[kind] = (unplaced[kind] ?? 0) + 1;
      kinds.delete(uuid);
      await send('DELETE', `/servers/${uuid}`);
    }
    onProgress(`${kinds.size} of ${count} servers run`);
  }

  async function remove(): Promise<void> {
    await removeServers(target);
    for (const made of flavors.values()) {
      const id = await made.catch(() => null);
      if (id !== null) await send('DELETE', `/flavors/${id}`);
    }
    for (const id of place.groups.values()) await send('DELETE', `/os-server-groups/${id}`);
  }

  try {
    const plain = Math.ceil(count * 0.4);
    await wave(Array.from({ length: plain }, (_, number) => ({ kind: 'plain', number, peculiarity: {} })));
    const running = (await ownServers(cloud)).flatMap(({ uuid, host }) => (host === null ? [] : [{ uuid, host }]));
    await wave(drawKinds({ ...place, placed: running }, { from: plain, to: count }, draw));
    await changeStates(target, send, changes);
    const policies = new Map([...place.groups].map(([policy, id]) => [id, policy]));
    return { kinds, peculiarities, policies, unplaced, remove };
  } catch (error) {
    onProgress(`the boots end: ${messageOf(error)}`);
    await remove();
    throw error;
  }
}

type Send = (method: string, path: string, body?: object, service?: 'compute' | 'image') => Promise<unknown>;

/** Requests that fail unless the cloud accepts them. */
export function sender({ raw }: Cloudy): Send {
  return async (method, path, body, service = 'compute') => {
    const microversion = service === 'compute' ? version : undefined;
    const response = await raw({ service, method, path, body, ...(microversion ? { microversion } : {}) });
    if (response.status < 300) return response.body;
    throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`);
  };
}

function disks(imageId: string): object[] {
  const common = { delete_on_termination: true };
  return [
    { ...common, boot_index: 0, source_type: 'image', destination_type: 'local', uuid: imageId },
    { ...common, boot_index: -1, source_type: 'blank', destination_type: 'volume', volume_size: 1 },
  ];
}

/** Servers of this run, and of earlier ones that were ended. */
export async function ownServers(cloud: Cloud): Promise<Server[]> {
  return (await cloud.compute.listServers({})).filter(({ name }) => name.startsWith(prefix));
}

/** Waits until all servers of the run have a state and no task. */
async function settled(target: Cloudy, waited: number, isDone: (server: Server) => boolean): Promise<Server[]> {
  const end = Date.now() + patienceMs * (waited + 3);
  for (;;) {
    const servers = await ownServers(target.cloud);
    const open = servers.filter(
      (server) => !(isDone(server) && (server.taskState === null || server.status === 'ERROR')),
    );
    if (open.length === 0) return servers;
    if (Date.now() > end) throw new Error(`${open.length} servers are not ready, such as ${open[0]?.name}`);
    target.onProgress(`waiting for ${open.length} servers`);
    await sleep(5000);
  }
}

/** Compute services that take servers now, in the order of their hosts. */
export async function openServices(cloud: Cloud): Promise<ComputeService[]> {
  const services = await cloud.compute.listServices();
  return services
    .filter(({ binary, status, state }) => binary === 'nova-compute' && status === 'enabled' && state === 'up')
    .sort((a, b) => (a.host < b.host ? -1 : 1));
}

/** The hosts, zones and addresses of the cloud, and a group of each policy. */
async function findPlace(
  { cloud }: Cloudy,
  send: Send,
): Promise<Omit<Place, 'placed'> & { groups: Map<string, string> }> {
  const open = await openServices(cloud);
  const details = (await send('GET', '/os-hypervisors/detail')) as { hypervisors: { host_ip: string }[] };
  const groups = new Map<string, string>();
  for (const policy of policies) {
    const server_group = { name: `${prefix}${policy}`, policy };
    const response = (await send('POST', '/os-server-groups', { server_group })) as { server_group: Identified };
    groups.set(policy, response.server_group.id);
  }
  return {
    hosts: open.map(({ host }) => host),
    addresses: details.hypervisors.map(({ host_ip }) => host_ip).sort(),
    zones: [...new Set(open.map(({ zone }) => zone))].sort(),
    groups,
    hasVolumes: await cloud.hasVolumeService(),
  };
}

/** Peculiar servers with these numbers: each kind as often as the others. */
function drawKinds(place: Place, { from, to }: { from: number; to: number }, draw: Draw): Drawn[] {
  const names = Object.keys(serverKinds).filter((name) => name !== 'plain');
  return Array.from({ length: to - from }, (_, at) => {
    const number = from + at;
    const kind = names[at % names.length] ?? 'plain';
    const peculiarity = serverKinds[kind]?.(place, draw);
    return peculiarity ? { kind, number, peculiarity } : { kind: 'plain', number, peculiarity: {} };
  });
}

async function changeStates(
  target: Cloudy,
  send: Send,
  changes: ReadonlyMap<string, NonNullable<Peculiarity['afterwards']>>,
): Promise<void> {
  const present = new Set((await ownServers(target.cloud)).map(({ uuid }) => uuid));
  for (const [uuid, { action }] of changes) {
    if (present.has(uuid)) await send('POST', `/servers/${uuid}/action`, action);
  }
  await settled(target, changes.size, ({ uuid, status }) => status === (changes.get(uuid)?.status ?? status));
}

/** Deletes the servers, flavors and groups of aborted runs. */
async function removeLeftovers(target: Cloudy, send: Send): Promise<void> {
  await removeServers(target);
  const { flavors } = (await send('GET', '/flavors?is_public=none')) as { flavors: (Identified & { name: string })[] };
  for (const { id, name } of flavors) if (name.startsWith(prefix)) await send('DELETE', `/flavors/${id}`);
  for (const { uuid, name } of await target.cloud.compute.listServerGroups())
    if (name.startsWith(prefix)) await send('DELETE', `/os-server-groups/${uuid}`);
}

/** Deletes the servers of this run, and of earlier ones that were ended. */
export async function removeServers(target: Cloudy): Promise<void> {
  const send = sender(target);
  for (const { uuid, locked } of await ownServers(target.cloud)) {
    if (locked) await send('POST', `/servers/${uuid}/action`, { unlock: null });
    await send('DELETE', `/servers/${uuid}`);
  }
  const end = Date.now() + 10 * 60_000;
  while ((await ownServers(target.cloud)).length > 0) {
    if (Date.now() > end) throw new Error('servers of the run are not deleted after 10 minutes');
    await sleep(2000);
  }
}
