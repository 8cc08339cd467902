import type { StorageWhatIf, WhatIf } from '#libs/cluster-model';
import type { BeforeAfter } from '#libs/domain';
import type { ProposedAction } from '#libs/plugin-kit';
import { attachedServersRefusal } from '../shared/hosts/attached-servers.ts';
import { poolAt, shortNumber, volumeAt, volumeLabel } from '../shared/hosts/rows.ts';
import { migrateVolumeAction, retypeVolumeAction } from '../shared/moves/actions.ts';
import { type BlockedTally, createRejections, type Rejections } from '../shared/report/blocked-tally.ts';
import type { StorageCapacityBalanceParameters } from './parameters.ts';

/** Input of the search for places. */
export interface Balance {
  storage: StorageWhatIf;
  model: WhatIf;
  /** Rows of pools that may receive volumes. */
  under: readonly number[];
  /** Threshold, 0 to 1. */
  threshold: number;
  equalTypes: (type: string, backend: string) => string[];
  blocked: BlockedTally;
  volumeOrder: StorageCapacityBalanceParameters['volume_order'];
}

interface Place {
  pool: number;
  /** New type. Absent for a plain migration. */
  type?: string;
}

/**
 * Watcher's order: available volumes, then attached ones, then boot volumes of servers. Small ones first in each
 * group.
 */
function inWatchersOrder(storage: StorageWhatIf, rows: readonly number[]): number[] {
  const size = (row: number) => volumeAt(storage.snapshot, row).sizeGb;
  return [...rows].sort((a, b) => rank(storage, a) - rank(storage, b) || size(a) - size(b) || a - b);
}

function rank(storage: StorageWhatIf, row: number): number {
  const { status, bootable } = volumeAt(storage.snapshot, row);
  return status === 'available' ? 0 : 1 + Number(bootable);
}

/**
 * The volumes of a pool in an order that relieves it with few moves: the smallest that is sufficient alone, else the
 * largest. Returns each once. The next one depends on the volumes that have already left.
 */
function* fewestFirst(balance: Balance, source: number, rows: readonly number[]): Generator<number> {
  const { storage } = balance;
  const size = (row: number) => volumeAt(storage.snapshot, row).sizeGb;
  const rising = [...rows].sort((a, b) => size(a) - size(b) || rank(storage, a) - rank(storage, b) || a - b);
  const isEnough = (row: number) => isBelow(balance, source, size(row));
  /** First position before `end` whose volume is sufficient. `end` without one. */
  function firstEnough(end: number): number {
    let [low, high] = [0, end];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isEnough(rising[middle] as number)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  for (let untried = rising.length; untried > 0; ) {
    const enough = firstEnough(untried);
    for (let place = enough; place < untried; place++) yield rising[place] as number;
    untried = enough;
    if (untried > 0) yield rising[--untried] as number;
  }
}

/** Whether a pool with this additional free space is below the threshold. Uses the arithmetic of the next audit. */
function isBelow({ storage, threshold }: Balance, pool: number, moreFreeGb: number): boolean {
  return (storage.total(pool) - (storage.free(pool) + moreFreeGb)) / storage.total(pool) < threshold;
}

/** How a volume can move to a pool, or the constraint against it. */
function wayTo(balance: Balance, volume: number, pool: number): Place | string {
  const { storage, equalTypes } = balance;
  if (!isBelow(balance, pool, -volumeAt(storage.snapshot, volume).sizeGb)) return 'pool-threshold';
  const because = storage.refusal(volume, pool);
  if (because === null) return { pool };
  const type = storage.typeOf(volume);
  if (because !== 'pool-type' || type === null) return because;
  const equal = equalTypes(type, poolAt(storage.snapshot, pool).backendName);
  const fits = equal.find((candidate) => storage.refusal(volume, pool, candidate) === null);
  return fits === undefined ? because : { pool, type: fits };
}

/** The emptiest pool that accepts the volume, by migration if possible, otherwise by a change of its type. */
function findPlace(balance: Balance, volume: number, rejections: Rejections): Place | null {
  const { storage, under } = balance;
  const isBetter = (way: Place, best: Place | null) =>
    best === null ||
    (way.type === undefined && best.type !== undefined) ||
    ((way.type === undefined) === (best.type === undefined) &&
      storage.usedShare(way.pool) < storage.usedShare(best.pool));
  let best: Place | null = null;
  for (const pool of under) {
    const way = wayTo(balance, volume, pool);
    if (typeof way === 'string') rejections.add(way, pool);
    else if (isBetter(way, best)) best = way;
  }
  return best;
}

function shareValue(storage: StorageWhatIf, pool: number, before: number): BeforeAfter {
  const subject = poolAt(storage.snapshot, pool).name;
  return { quantity: 'pool_used', subject, unit: '%', before: before * 100, after: storage.usedShare(pool) * 100 };
}

function toAction(
  balance: Balance,
  volume: number,
  source: number,
  place: Place,
  rejections: Rejections,
): ProposedAction {
  const { storage, threshold } = balance;
  const info = volumeAt(storage.snapshot, volume);
  const before = [storage.usedShare(source), storage.usedShare(place.pool)] as const;
  storage.move(volume, place.pool, place.type);
  const [from, to] = [poolAt(storage.snapshot, source).name, poolAt(storage.snapshot, place.pool).name];
  const percent = (share: number) => `${shortNumber(share * 100)} %`;
  const way = place.type === undefined ? `moves to ${to}` : `becomes ${place.type} and so moves to ${to}`;
  const reason = {
    rule: place.type === undefined ? 'pool-too-full' : 'pool-too-full-retype',
    summary:
      `${from} is used to ${percent(before[0])} (threshold ${percent(threshold)}); ${volumeLabel(info)} of ` +
      `${info.sizeGb} GB ${way}, which is then used to ${percent(storage.usedShare(place.pool))}.`,
    values: [shareValue(storage, source, before[0]), shareValue(storage, place.pool, before[1])],
    rejected: rejections.list(),
  };
  return place.type === undefined
    ? migrateVolumeAction(info, to, reason)
    : retypeVolumeAction(info, place.type, reason);
}

/**
 * Moves volumes off a pool until it is below the threshold or no more can move. Retypes come before migrations, as in
 * Watcher. Costs O(volumes of the pool × pools below the threshold).
 */
export function relievePool(balance: Balance, source: number, rows: readonly number[]): ProposedAction[] {
  const { storage, model, threshold, blocked, volumeOrder } = balance;
  const volumes = volumeOrder === 'watcher' ? inWatchersOrder(storage, rows) : fewestFirst(balance, source, rows);
  const retypes: ProposedAction[] = [];
  const migrations: ProposedAction[] = [];
  for (const volume of volumes) {
    if (storage.usedShare(source) < threshold) break;
    const info = volumeAt(storage.snapshot, volume);
    const held = storage.immovable(volume) ?? attachedServersRefusal(model, info);
    const rejections = createRejections((pool) => poolAt(storage.snapshot, pool).name);
    const place = held === null ? findPlace(balance, volume, rejections) : null;
    if (place === null) {
      blocked.add(held ?? rejections.list()[0]?.because ?? 'pool-type', volumeLabel(info));
      continue;
    }
    const action = toAction(balance, volume, source, place, rejections);
    (place.type === undefined ? migrations : retypes).push(action);
  }
  return [...retypes, ...migrations];
}
