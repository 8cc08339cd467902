import type { ComputeSnapshot } from '#libs/cluster-model';
import type { WhatIfLoss } from '#libs/domain';
import {
  type ClusterFindRequest,
  type ClusterFindResponse,
  type Found,
  type FoundKind,
  foundKinds,
  isRefusal,
  type RpcRefusal,
  refuse,
} from '#libs/messaging';
import { hostsOfParts } from '#libs/what-if';
import { latestModel } from '../model/fresh-enough.ts';
import type { ClusterDeps } from './describe-cluster.ts';

/** Maximum age of a model in milliseconds. An older model is returned while the next one is collected. */
const shownAgeMs = 60_000;
const maxLimit = 100;
const maxText = 255;

/** Returns `cluster.find`. */
export async function findInCluster(
  { text, kinds, limit }: ClusterFindRequest,
  { model, logger }: Pick<ClusterDeps, 'model' | 'logger'>,
): Promise<ClusterFindResponse | RpcRefusal> {
  if (!(limit >= 1 && limit <= maxLimit)) return refuse('invalid_input', `limit: between 1 and ${maxLimit}`);
  if (text.length > maxText) return refuse('invalid_input', `text: at most ${maxText} characters`);
  const unknown = kinds.find((kind) => !foundKinds.includes(kind));
  if (unknown !== undefined) return refuse('invalid_input', `kinds: ${unknown} is none of ${foundKinds.join(', ')}`);
  const snapshot = await latestModel(model, shownAgeMs, logger).catch((error: unknown) =>
    refuse('model_not_available', error),
  );
  if (isRefusal(snapshot)) return snapshot;
  const wanted = text.trim().toLowerCase();
  const pages = foundKinds
    .filter((kind) => kinds.includes(kind))
    .map((kind) => {
      const fitting = entriesOf[kind](snapshot).flatMap((entry) => {
        const rank = rankOf(entry, wanted);
        return rank === null ? [] : [{ entry, rank }];
      });
      const first = firstOf(
        fitting,
        limit,
        (a, b) => a.rank - b.rank || (wanted === '' ? bySize(a.entry, b.entry) : 0) || compareNames(a.entry, b.entry),
      );
      if (kind === 'flavor') sortBySize(snapshot, first);
      return { found: first.map(({ entry }) => entry), total: fitting.length };
    });
  const found = pages.flatMap((page) => page.found);
  return {
    taken_at: new Date(snapshot.takenAtMs).toISOString(),
    found,
    more: pages.reduce((sum, { total }) => sum + total, 0) - found.length,
  };
}

/** The first `count` values in the order of a comparison. A full sort of 100,000 names takes seconds. */
function firstOf<Value>(
  values: readonly Value[],
  count: number,
  compare: (one: Value, other: Value) => number,
): Value[] {
  const first: Value[] = [];
  for (const value of values) {
    const last = first[count - 1];
    if (last !== undefined && compare(value, last) >= 0) continue;
    const place = first.findIndex((other) => compare(value, other) < 0);
    first.splice(place < 0 ? first.length : place, 0, value);
    if (first.length > count) first.pop();
  }
  return first;
}

/** Sorts the chosen flavors from small to large: by vCPUs, memory and disk. A better match stays first. */
function sortBySize({ instances, instanceInfo }: ComputeSnapshot, chosen: { entry: Found; rank: number }[]): void {
  const rows = new Map(chosen.map(({ entry }) => [entry.id, -1]));
  instanceInfo.forEach(({ flavorName }, row) => {
    if (flavorName !== undefined && rows.get(flavorName) === -1) rows.set(flavorName, row);
  });
  const sizeOf = (id: string) => {
    const row = rows.get(id) as number;
    return [instances.vcpus[row], instances.memory[row], instances.disk[row]] as [number, number, number];
  };
  const sizes = new Map(chosen.map(({ entry }) => [entry.id, sizeOf(entry.id)]));
  chosen.sort((a, b) => {
    const [one, other] = [sizes.get(a.entry.id), sizes.get(b.entry.id)] as [number[], number[]];
    const part = one.findIndex((amount, place) => amount !== other[place]);
    const difference = part < 0 ? 0 : (one[part] as number) - (other[part] as number);
    return a.rank - b.rank || difference || compareNames(a.entry, b.entry);
  });
}

/** Without a search text, the hosts with the most instances are first. */
const bySize = (a: Found, b: Found) => (b.instances ?? 0) - (a.instances ?? 0);

const collator = new Intl.Collator('en', { numeric: true });
const compareNames = (a: Found, b: Found) => collator.compare(a.name, b.name) || (a.id < b.id ? -1 : 1);

/** 0: equal to the search text. 1: starts with it. 2: contains it. Null: no match. */
function rankOf({ id, name }: Found, wanted: string): number | null {
  const lower = name.toLowerCase();
  if (lower === wanted || id === wanted) return 0;
  if (lower.startsWith(wanted) || id.toLowerCase().startsWith(wanted)) return 1;
  return lower.includes(wanted) ? 2 : null;
}

const entriesOf: Readonly<Record<FoundKind, (snapshot: ComputeSnapshot) => Found[]>> = {
  host: (snapshot) => partsOf(snapshot, 'host'),
  instance: ({ instanceInfo, instances, hostInfo }) =>
    instanceInfo.map(({ uuid, name }, row) => ({
      kind: 'instance',
      id: uuid,
      name,
      host: hostInfo[instances.host[row] as number]?.hostname ?? null,
      instances: null,
    })),
  project: ({ instanceInfo }) =>
    counted(
      'project',
      instanceInfo.map(({ projectId }) => projectId),
    ),
  flavor: ({ instanceInfo }) =>
    counted(
      'flavor',
      instanceInfo.flatMap(({ flavorName }) => flavorName ?? []),
    ),
  zone: (snapshot) => partsOf(snapshot, 'zone'),
  rack: (snapshot) => partsOf(snapshot, 'rack'),
};

function partsOf(snapshot: ComputeSnapshot, kind: WhatIfLoss): Found[] {
  const counts = new Uint32Array(snapshot.hostInfo.length);
  for (const row of snapshot.instances.host) if (row >= 0) counts[row] = (counts[row] as number) + 1;
  return [...hostsOfParts(snapshot, kind)].map(([name, rows]) => ({
    ...{ kind, id: name, name, host: null },
    instances: rows.reduce((sum, row) => sum + (counts[row] as number), 0),
  }));
}

function counted(kind: FoundKind, names: readonly string[]): Found[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, instances]) => ({ kind, id: name, name, host: null, instances }));
}
