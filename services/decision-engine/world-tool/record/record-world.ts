import type { ComputeModelInput } from '#libs/cluster-model';
import { type Clock, OperatorError } from '#libs/domain';
import type { HistoryReader } from '#libs/history';
import { type Cloud, OpenStackError } from '#libs/openstack';
import { checkWorld, encodeWorld, type RecordedLoad, type RecordedPart, type WorldFile } from '#libs/world-file';
import { listBaremetal } from '../../collectors/baremetal-collector.ts';
import { type CollectorOptions, listCompute } from '../../collectors/compute-collector.ts';
import { listStorage } from '../../collectors/storage-collector.ts';
import { anonymiseWorld } from './anonymise-world.ts';
import { describeWorld } from './describe-world.ts';
import { createPseudonyms } from './pseudonyms.ts';
import { recordLoad } from './record-load.ts';

/** Seconds that one sample of a recording covers. */
const stepSeconds = 300;
/** Exit code for a cloud that cannot be read. */
const misused = 2;

/** Options of a recording. */
export interface RecordOptions {
  /** Length of the recorded load. 0: the inventory only. */
  days: number;
  /** Key of the pseudonyms. Null: names and texts are kept. */
  key: Buffer | null;
  /** Options for reading the compute part. */
  collector: Omit<CollectorOptions, 'clock' | 'collector' | 'allTraits'>;
  onProgress?: (progress: { part: 'cloud' | 'load'; done: number; of: number }) => void;
}

/** A recording as a file, and its sizes. */
export interface Recording {
  file: Buffer;
  world: WorldFile;
  load: RecordedLoad;
  /** Fraction of the samples of instances and hosts that were measured, 0 to 1. 0 without a load. */
  measured: number;
  /** Number of instances without a host. The recording omits them. */
  left: number;
  /** Reasons why parts of the cloud could not be read. */
  gaps: string[];
  /** Unread parts. The file names them too. */
  unread: RecordedPart[];
}

/**
 * Reads a cloud and its history as audits do, and creates a world file. The load ends at the last full step. Nova and
 * Placement are required. Parts of other services are omitted when those do not respond.
 * @throws OpenStackError when hypervisors or servers cannot be listed, OperatorError when Placement cannot be read,
 * and the error of the history
 */
export async function recordWorld(
  { cloud, history, clock }: { cloud: Cloud; history: Pick<HistoryReader, 'aggregate'>; clock: Clock },
  { days, key, collector, onProgress = () => undefined }: RecordOptions,
): Promise<Recording> {
  onProgress({ part: 'cloud', done: 0, of: 1 });
  const [hasStorage, hasBaremetal] = [await cloud.hasVolumeService(), await cloud.hasBaremetalService()];
  const compute = await listCompute(cloud, { ...collector, clock, allTraits: true });
  refuseWithoutPlacement(compute);
  const gaps = [...(compute.gaps ?? [])];
  const unread: RecordedPart[] = [];
  async function optionalPart<Part>(part: RecordedPart, list: () => Promise<Part>): Promise<Part | null> {
    try {
      return await list();
    } catch (error) {
      if (!(error instanceof OpenStackError)) throw error;
      gaps.push(`${part} could not be read: ${error.message}`);
      unread.push(part);
      return null;
    }
  }
  const storage = hasStorage ? await optionalPart('block storage', () => listStorage(cloud, clock)) : null;
  const baremetal = hasBaremetal ? await optionalPart('bare metal', () => listBaremetal(cloud, clock)) : null;
  gaps.push(...(storage?.gaps ?? []), ...(baremetal?.gaps ?? []));
  for (const { part, reason } of await unknownParts(cloud, compute)) {
    gaps.push(`${part} could not be read: ${reason}`);
    unread.push(part);
  }
  const { world: original, left } = describeWorld({ compute, storage, baremetal });
  onProgress({ part: 'cloud', done: 1, of: 1 });
  const { world, servers, hosts } = ordered(original, key, unread);
  const steps = Math.round((days * 86_400) / stepSeconds);
  const endMs = Math.floor(clock.now() / (stepSeconds * 1000)) * stepSeconds * 1000;
  const period = { startMs: endMs - steps * stepSeconds * 1000, stepSeconds, steps };
  const load = await recordLoad(history, { servers, hosts }, period, (done) =>
    onProgress({ part: 'load', done, of: steps }),
  );
  checkWorld(JSON.parse(JSON.stringify(world)), 'of this cloud');
  return { file: encodeWorld(world, load), world, load, measured: measuredShare(load), left, gaps, unread };
}

/** Without Placement the capacity of the hosts is unknown. */
function refuseWithoutPlacement({ inventories, gaps = [] }: ComputeModelInput): void {
  const isRead = inventories.size === 0 || [...inventories.values()].some((inventory) => inventory !== null);
  const reason = gaps.find((gap) => gap.startsWith('Placement'));
  if (!isRead && reason !== undefined) throw new OperatorError(reason, { exitCode: misused });
}

/** Parts that `listCompute` could not read although the catalogue has their service. */
async function unknownParts(
  cloud: Cloud,
  { ports, portsUnknown, shares }: ComputeModelInput,
): Promise<{ part: RecordedPart; reason: string }[]> {
  const hasNetwork = (await cloud.hasNetworkService?.()) === true;
  const without = [...(shares?.values() ?? [])].filter((has) => has === null).length;
  return [
    ...(hasNetwork && ports === undefined && portsUnknown !== undefined
      ? [{ part: 'network ports' as const, reason: portsUnknown }]
      : []),
    ...(without > 0 ? [{ part: 'shares' as const, reason: `Nova lists none of ${without} instances` }] : []),
  ];
}

/** The world under its final names, in their order, with the names of its servers and hosts in the history. */
function ordered(original: WorldFile, key: Buffer | null, unread: RecordedPart[]) {
  const recording = {
    ...{ start: new Date(0).toISOString(), step_seconds: stepSeconds, steps: 0, anonymised: key !== null },
    ...(unread.length > 0 && { unread }),
  };
  const named = { ...original, recording };
  const world = key === null ? named : anonymiseWorld(named, createPseudonyms(key));
  const flavors = new Map(original.flavors.map((flavor) => [flavor.name, flavor]));
  const serverRows = rowsBy(world.servers, ({ uuid }) => uuid ?? '');
  const hostRows = rowsBy(world.hosts, ({ hostname }) => hostname);
  return {
    world: {
      ...world,
      servers: serverRows.map((row) => world.servers[row]!),
      hosts: hostRows.map((row) => world.hosts[row]!),
      ...sortedLists(world),
    },
    servers: serverRows.map((row) => {
      const { uuid = '', flavor } = original.servers[row]!;
      const { vcpus = 0, ram_mb: memory = 1 } = flavors.get(flavor) ?? {};
      return { resource: uuid, vcpus, memory };
    }),
    // Memory of hosts is measured in KiB.
    hosts: hostRows.map((row) => {
      const { hostname, memory_mb: memory } = original.hosts[row]!;
      return { resource: hostname, memory: memory * 1024 };
    }),
  };
}

function rowsBy<Item>(items: readonly Item[], key: (item: Item) => string): number[] {
  const keys = items.map(key);
  return [...items.keys()].sort((one, other) => (keys[one]! < keys[other]! ? -1 : 1));
}

/** Sorts the other lists by their new names, so that the order does not reveal the former names. */
function sortedLists(world: WorldFile): Partial<WorldFile> {
  const lists = [
    'flavors',
    'aggregates',
    'server_groups',
    'pools',
    'volume_types',
    'volumes',
    'baremetal_nodes',
  ] as const;
  const sortList = (name: (typeof lists)[number]) => {
    const list = world[name] as readonly { name: string }[] | undefined;
    return list === undefined ? [] : [[name, rowsBy(list, (item) => item.name).map((row) => list[row])] as const];
  };
  return Object.fromEntries(lists.flatMap(sortList));
}

function measuredShare({ columns }: RecordedLoad): number {
  let [measured, all] = [0, 0];
  for (const column of Object.values(columns)) {
    all += column.length;
    for (const sample of column) if (sample !== 255) measured += 1;
  }
  return all === 0 ? 0 : measured / all;
}
