import type { ComputeSnapshot, WhatIf } from '#libs/cluster-model';
import type { FailureDomain } from './failure-domains.ts';
import { createLargestLosses } from './largest-losses.ts';

type Size = ReturnType<WhatIf['needs']>;
const resources = ['vcpus', 'dedicatedCpus', 'memory', 'disk'] as const;

/**
 * Numbers of sizes with counted places, besides the largest of the domain: the most frequent sizes of the domain and
 * of the cloud, since instances of these may arrive. Up to `alone` sizes, those of the domain first, are also counted
 * separately, so that rare sizes keep a place.
 */
const mostSizes = { own: 6, cloud: 3, alone: 32 };

/** Sizes of instances. */
export interface Sizes {
  readonly all: readonly Size[];
  of(instance: number): number;
  /** The most frequent ones, in descending order. */
  readonly frequent: readonly number[];
}

/** Cached by snapshot: a snapshot is frozen, and an audit makes several attempts on it. */
const sizesOf = new WeakMap<ComputeSnapshot, Sizes>();

/** Reads the needs of every instance of a snapshot once. */
export function createSizes(model: WhatIf): Sizes {
  const known = sizesOf.get(model.snapshot) ?? readSizes(model);
  sizesOf.set(model.snapshot, known);
  return known;
}

function readSizes(model: WhatIf): Sizes {
  const all: Size[] = [];
  const known = new Map<string, number>();
  const sizeOf = Int32Array.from(model.hostOf, (_, instance) => {
    const size = model.needs(instance);
    const key = resources.map((resource) => size[resource]).join('/');
    const row = known.get(key) ?? all.push(size) - 1;
    known.set(key, row);
    return row;
  });
  const frequent = mostFrequent(sizeOf, mostSizes.alone);
  return { all, of: (instance) => sizeOf[instance] as number, frequent };
}

function mostFrequent(sizes: Iterable<number>, most: number): number[] {
  const counts = new Map<number, number>();
  for (const size of sizes) counts.set(size, (counts.get(size) ?? 0) + 1);
  const falling = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return falling.slice(0, most).map(([size]) => size);
}

/** For each resource the size that needs most of it. It is the hardest to place, however rare. */
function largest(rows: readonly number[], all: readonly Size[]): number[] {
  return resources.flatMap((resource) => {
    let most = -1;
    for (const row of rows) if ((all[row] as Size)[resource] > (all[most]?.[resource] ?? 0)) most = row;
    return most < 0 ? [] : most;
  });
}

/**
 * Number of places of one size that an instance of another size takes. 0 when it is smaller, and fits besides them.
 */
function placesFor(size: Size, place: Size): number {
  let units = 0;
  let isSmaller = false;
  for (const resource of resources) {
    if (place[resource] > 0) units = Math.max(units, size[resource] / place[resource]);
    isSmaller ||= size[resource] < place[resource];
  }
  return units <= 1 && isSmaller ? 0 : Math.ceil(units);
}

/** The sizes with counted places, and the number of places that instances take. */
interface CountedSizes {
  /** First the sizes counted in places, then the sizes counted separately. */
  wanted: readonly Size[];
  /** Number of the first ones. */
  together: number;
  /** For each size of the cloud, the number of places of the first sizes that an instance takes. */
  taken: readonly (readonly number[])[];
  /** Row in `wanted` of each size that is counted separately. */
  aloneAt: ReadonlyMap<number, number>;
}

/** @param own sizes of the domain's instances */
function countedSizes(own: readonly number[], sizes: Sizes): CountedSizes {
  const rows = new Set([
    ...mostFrequent(own, mostSizes.own),
    ...largest(own, sizes.all),
    ...sizes.frequent.slice(0, mostSizes.cloud),
  ]);
  const alone = [...new Set([...mostFrequent(own, mostSizes.alone), ...sizes.frequent])].slice(0, mostSizes.alone);
  const wanted = [...rows, ...alone].map((row) => sizes.all[row] as Size);
  const taken = sizes.all.map((size) => [...rows].map((row) => placesFor(size, sizes.all[row] as Size)));
  const aloneAt = new Map(alone.map((row, index) => [row, rows.size + index]));
  return { wanted, together: rows.size, taken, aloneAt };
}

/** Number of instances of a size that fit into the room. */
function freePlaces(room: Size, place: Size): number {
  let count = Number.POSITIVE_INFINITY;
  for (const resource of resources)
    if (place[resource] > 0) count = Math.min(count, Math.floor((room[resource] + 1e-6) / place[resource]));
  return Math.max(0, count);
}

/**
 * Room of a failure domain, as places for the sizes of its instances. Sums of free room would include fragments that
 * fit no instance. For every size, the other hosts need as many free places as the instances of any host need. This is
 * counted for all instances together, which may overestimate, and for each size separately, which is the minimum.
 */
export interface DomainPlaces {
  /** Must be called when a host of the domain has changed. */
  refresh(host: number): void;
  setInUse(host: number, inUse: boolean): void;
  /**
   * For every size, the places beyond the need of one failed host, of two, and so on. Negative when places are
   * missing. The slack of fewer failures must then not be lost too. The last value is the number of hosts beyond those
   * that may fail.
   */
  slack(): number[];
  /** Number of the first values of the slack that may be too low. Of the others, a negative one proves a shortage. */
  readonly estimates: number;
  /** Upper bound of the slack with the host empty and out of use, for any destination of its instances. */
  slackAtBestWithout(host: number): number[];
}

/** The places of a domain for one placement of the instances. */
interface MeasuredDomain {
  /** Host of each instance, by row. */
  hostOf: Int32Array;
  counted: CountedSizes;
  position: ReadonlyMap<number, number>;
  /** Free places and places of the instances, by position of the host and row of the size. */
  free: Float64Array;
  used: Float64Array;
  isEmpty: boolean;
}

/** The first measured placement of each domain: attempts of a search start with the same one. */
const firstMeasured = new WeakMap<FailureDomain, MeasuredDomain>();

/** Instances with counted places. */
function livingOn(model: WhatIf, { isBound }: FailureDomain, host: number): readonly number[] {
  return isBound === undefined ? model.instancesOn(host) : model.instancesOn(host).filter(isBound);
}

/** Measures a host in the row `at` of both tables. */
function measureHost(
  model: WhatIf,
  domain: FailureDomain,
  sizes: Sizes,
  { counted: { wanted, taken, aloneAt }, free, used }: Pick<MeasuredDomain, 'counted' | 'free' | 'used'>,
  { host, at }: { host: number; at: number },
): void {
  const width = wanted.length;
  const { vcpus, memory, disk } = model.free(host);
  const room = { vcpus, dedicatedCpus: model.freeDedicatedCpus(host), memory, disk };
  const first = at * width;
  for (let row = 0; row < width; row++) free[first + row] = freePlaces(room, wanted[row] as Size);
  used.fill(0, first, first + width);
  const take = (row: number, places: number) => {
    used[first + row] = (used[first + row] as number) + places;
  };
  for (const instance of livingOn(model, domain, host)) {
    const size = sizes.of(instance);
    const places = taken[size] as readonly number[];
    for (let row = 0; row < places.length; row++) take(row, places[row] as number);
    const own = aloneAt.get(size);
    if (own !== undefined) take(own, 1);
  }
}

function measureDomain(model: WhatIf, domain: FailureDomain, sizes: Sizes): MeasuredDomain {
  const known = firstMeasured.get(domain);
  if (known?.hostOf.every((host, instance) => host === model.hostOf[instance])) return known;
  const { hosts } = domain;
  const own = hosts.flatMap((host) => livingOn(model, domain, host).map(sizes.of));
  const counted = countedSizes(own, sizes);
  const measured = {
    hostOf: model.hostOf.slice(),
    counted,
    position: new Map(hosts.map((host, index) => [host, index])),
    free: new Float64Array(hosts.length * counted.wanted.length),
    used: new Float64Array(hosts.length * counted.wanted.length),
    isEmpty: own.length === 0,
  };
  for (const [at, host] of hosts.entries()) measureHost(model, domain, sizes, measured, { host, at });
  if (known === undefined) firstMeasured.set(domain, measured);
  return measured;
}

/** @param reserve hosts that may fail simultaneously, at least 1 */
export function createDomainPlaces(model: WhatIf, domain: FailureDomain, sizes: Sizes, reserve: number): DomainPlaces {
  const { hosts, isPart } = domain;
  const { counted, position, isEmpty, ...first } = measureDomain(model, domain, sizes);
  const width = counted.wanted.length;
  const free = first.free.slice();
  const used = first.used.slice();
  const inUse = new Uint8Array(hosts.length).fill(1);
  const total = new Float64Array(width);
  let serving = hosts.length;
  const leastServing = isPart && isEmpty ? 0 : Math.min(reserve, hosts.length);

  function count(at: number, sign: 1 | -1): void {
    for (let row = 0; row < width; row++)
      total[row] = (total[row] as number) + sign * (free[at * width + row] as number);
  }

  const losses = createLargestLosses({ sizes: width, hosts: hosts.length, returned: reserve }, (row, at) =>
    inUse[at] === 0 ? 0 : (free[at * width + row] as number) + (used[at * width + row] as number),
  );

  /**
   * Adds the remaining `places` of a size after one failure, after two, and so on. The hosts with the largest loss
   * fail first. `without` is out of use.
   */
  function addLeft(slack: number[], row: number, places: number, without?: number): void {
    let left = places;
    for (const lost of losses.of(row, without)) {
      left -= lost;
      slack.push(left);
    }
  }

  for (const at of hosts.keys()) count(at, 1);

  return {
    estimates: counted.together * reserve,
    refresh(host) {
      const at = position.get(host);
      if (at === undefined) return;
      if (inUse[at] === 1) count(at, -1);
      measureHost(model, domain, sizes, { counted, free, used }, { host, at });
      if (inUse[at] === 0) return;
      count(at, 1);
      losses.update(at);
    },
    setInUse(host, value) {
      const at = position.get(host);
      if (at === undefined || inUse[at] === Number(value)) return;
      inUse[at] = Number(value);
      serving += value ? 1 : -1;
      count(at, value ? 1 : -1);
      losses.update(at);
    },
    slack() {
      const slack: number[] = [];
      for (let row = 0; row < width; row++) addLeft(slack, row, total[row] as number);
      slack.push(serving - leastServing);
      return slack;
    },
    slackAtBestWithout(host) {
      const at = position.get(host) as number;
      const slack: number[] = [];
      for (let row = 0; row < width; row++)
        addLeft(slack, row, (total[row] as number) - (free[at * width + row] as number), at);
      slack.push(serving - 1 - leastServing);
      return slack;
    },
  };
}
