import type { Clock } from '#libs/domain';
import type { HistoryReader } from '#libs/history';
import type { Cloud } from '#libs/openstack';
import { checkWorld, encodeWorld, type RecordedLoad, type WorldFile } from '#libs/world-file';
import { listBaremetal } from '../../collectors/baremetal-collector.ts';
import { type CollectorOptions, listCompute } from '../../collectors/compute-collector.ts';
import { listStorage } from '../../collectors/storage-collector.ts';
import { anonymiseWorld } from './anonymise-world.ts';
import { describeWorld } from './describe-world.ts';
import { createPseudonyms } from './pseudonyms.ts';
import { recordLoad } from './record-load.ts';

/** Seconds that one sample of a recording stands for. */
const stepSeconds = 300;

/** Options of a recording. */
export interface RecordOptions {
  /** Length of the recorded load. 0: the inventory only. */
  days: number;
  /** Key of the pseudonyms. Null: names and texts stay. */
  key: Buffer | null;
  /** How the compute part is read. */
  collector: Omit<CollectorOptions, 'clock' | 'collector' | 'allTraits'>;
  onProgress?: (progress: { part: 'cloud' | 'load'; done: number; of: number }) => void;
}

/** A recording as a file, with its sizes. */
export interface Recording {
  file: Buffer;
  world: WorldFile;
  load: RecordedLoad;
  /** Share of the samples of instances and hosts that were measured, 0 to 1. 0 without a load. */
  measured: number;
  /** Instances without a host, which are not in it. */
  left: number;
  /** Parts of the cloud that could not be read. */
  gaps: string[];
}

/**
 * Reads a cloud and its history as audits do, and makes a world file of them. The load ends at the last full step.
 * @throws OpenStackError when hypervisors or servers cannot be listed, and the error of the history
 */
export async function recordWorld(
  { cloud, history, clock }: { cloud: Cloud; history: Pick<HistoryReader, 'aggregate'>; clock: Clock },
  { days, key, collector, onProgress = () => undefined }: RecordOptions,
): Promise<Recording> {
  onProgress({ part: 'cloud', done: 0, of: 1 });
  const [hasStorage, hasBaremetal] = [await cloud.hasVolumeService(), await cloud.hasBaremetalService()];
  const compute = await listCompute(cloud, { ...collector, clock, allTraits: true });
  const storage = hasStorage ? await listStorage(cloud, clock) : null;
  const baremetal = hasBaremetal ? await listBaremetal(cloud, clock) : null;
  const { world: original, left } = describeWorld({ compute, storage, baremetal });
  onProgress({ part: 'cloud', done: 1, of: 1 });
  const { world, servers, hosts } = ordered(original, key);
  const steps = Math.round((days * 86_400) / stepSeconds);
  const endMs = Math.floor(clock.now() / (stepSeconds * 1000)) * stepSeconds * 1000;
  const period = { startMs: endMs - steps * stepSeconds * 1000, stepSeconds, steps };
  const load = await recordLoad(history, { servers, hosts }, period, (done) =>
    onProgress({ part: 'load', done, of: steps }),
  );
  const gaps = [...(compute.gaps ?? []), ...(storage?.gaps ?? []), ...(baremetal?.gaps ?? [])];
  checkWorld(JSON.parse(JSON.stringify(world)), 'of this cloud');
  return { file: encodeWorld(world, load), world, load, measured: measuredShare(load), left, gaps };
}

/** The world under its final names, in their order, with the names that its servers and hosts have in the history. */
function ordered(original: WorldFile, key: Buffer | null) {
  const recording = { start: new Date(0).toISOString(), step_seconds: stepSeconds, steps: 0, anonymised: key !== null };
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

/** The other lists in the order of their names of now, so that the order shows nothing of the former names. */
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
