import type { ComputeSnapshot, GroupInfo } from '#libs/cluster-model';
import { createRoomLedger, type RoomLedger } from './room-ledger.ts';
import type { Task } from './tasks.ts';

type Wants = [pool: number, amount: number][];

/** Kinds of room on a host; each host and kind is a pool of the ledger. */
const kinds = 3;

function hostPool(host: number, kind: 0 | 1 | 2): number {
  return host * kinds + kind;
}

/** Places of a group on a host; numbered behind the pools of all hosts. */
function groupPool(snapshot: ComputeSnapshot, group: number, host: number): number {
  const hosts = snapshot.hostInfo.length;
  return hosts * kinds + group * hosts + host;
}

function openHosts(ledger: RoomLedger, snapshot: ComputeSnapshot, tasks: readonly Task[]): void {
  const { hosts } = snapshot;
  const touched = new Set(tasks.flatMap(({ sourceRow, destinationRow }) => [sourceRow, destinationRow]));
  const free = (total: Float64Array, reserved: Float64Array, ratio: Float64Array, used: Float64Array, row: number) =>
    ((total[row] as number) - (reserved[row] as number)) * (ratio[row] as number) - (used[row] as number);
  for (const row of touched) {
    if (row < 0) continue;
    ledger.open(hostPool(row, 0), free(hosts.vcpus, hosts.vcpusReserved, hosts.vcpusRatio, hosts.vcpusUsed, row));
    ledger.open(hostPool(row, 1), free(hosts.memory, hosts.memoryReserved, hosts.memoryRatio, hosts.memoryUsed, row));
    ledger.open(hostPool(row, 2), free(hosts.disk, hosts.diskReserved, hosts.diskRatio, hosts.diskUsed, row));
  }
}

/** Places that an anti-affinity group has left on each host; they are a resource like any other. */
function openGroups(ledger: RoomLedger, snapshot: ComputeSnapshot, tasks: readonly Task[]): void {
  const { instances, groups } = snapshot;
  const members = new Map<number, number>();
  instances.group.forEach((group, row) => {
    const host = instances.host[row] as number;
    if (group >= 0 && host >= 0) {
      const key = groupPool(snapshot, group, host);
      members.set(key, (members.get(key) ?? 0) + 1);
    }
  });
  for (const { instance, sourceRow, destinationRow } of tasks) {
    const group = instances.group[instance] ?? -1;
    if (groups[group]?.policy !== 'anti-affinity') continue;
    for (const row of [sourceRow, destinationRow]) {
      if (row < 0) continue;
      const key = groupPool(snapshot, group, row);
      ledger.open(key, (groups[group] as GroupInfo).maxServerPerHost - (members.get(key) ?? 0));
    }
  }
}

/** What an instance takes of a host. */
function wantsOf(snapshot: ComputeSnapshot, instance: number, host: number): Wants {
  if (instance < 0 || host < 0) return [];
  const { vcpus, memory, disk, group } = snapshot.instances;
  const wants: Wants = [
    [hostPool(host, 0), vcpus[instance] as number],
    [hostPool(host, 1), memory[instance] as number],
    [hostPool(host, 2), disk[instance] as number],
  ];
  const own = group[instance] as number;
  if (own >= 0) wants.push([groupPool(snapshot, own, host), 1]);
  return wants;
}

/** Tasks that wait for room on a host or for another task, by `host <row>` or `task <index>`. */
type Waiting = Map<string, Task[]>;

function wait(waiting: Waiting, key: string, task: Task): void {
  const list = waiting.get(key);
  if (list === undefined) waiting.set(key, [task]);
  else list.push(task);
}

function wake(waiting: Waiting, key: string): Task[] {
  const list = waiting.get(key) ?? [];
  waiting.delete(key);
  return list;
}

function place(task: Task, snapshot: ComputeSnapshot, ledger: RoomLedger): void {
  for (const parent of ledger.draw(wantsOf(snapshot, task.instance, task.destinationRow))) task.parents.add(parent);
  for (const [pool, amount] of wantsOf(snapshot, task.instance, task.sourceRow))
    ledger.release(pool, amount, task.index);
}

/**
 * Gives migrations their parents by room, so that every host can hold what arrives in whatever order the plan allows, with
 * source and destination both occupied during a move. Answers the migrations in an order in which room is found.
 *
 * Tasks that can never find room (a circle of full hosts, or a host that the snapshot says is too small) come last, each
 * after all migrations before it: Nova has the last word on them.
 */
export function orderByRoom(tasks: readonly Task[], snapshot: ComputeSnapshot): Task[] {
  const ledger = createRoomLedger();
  const migrations = tasks.filter(({ isMigration }) => isMigration);
  openHosts(ledger, snapshot, migrations);
  openGroups(ledger, snapshot, migrations);
  const order: Task[] = [];
  const placed = new Set<number>(tasks.filter(({ isMigration }) => !isMigration).map(({ index }) => index));
  const waiting: Waiting = new Map();

  /** What keeps a task from its place now; null when nothing does. */
  function waitsFor(task: Task): string | null {
    for (const parent of task.parents) if (!placed.has(parent)) return `task ${parent}`;
    const wants = wantsOf(snapshot, task.instance, task.destinationRow);
    return ledger.covers(wants) ? null : `host ${task.destinationRow}`;
  }

  function attempt(first: Task): void {
    const queue = [first];
    for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
      const key = waitsFor(task);
      if (key !== null) {
        wait(waiting, key, task);
        continue;
      }
      place(task, snapshot, ledger);
      placed.add(task.index);
      order.push(task);
      queue.push(...wake(waiting, `task ${task.index}`), ...wake(waiting, `host ${task.sourceRow}`));
    }
  }

  for (const task of migrations) attempt(task);
  appendStuck(order, waiting, snapshot, ledger);
  return order;
}

function appendStuck(order: Task[], waiting: Waiting, snapshot: ComputeSnapshot, ledger: RoomLedger): void {
  const stuck = [...waiting.values()].flat().sort((a, b) => a.index - b.index);
  let barrier = order.map(({ index }) => index);
  for (const task of stuck) {
    for (const parent of barrier) task.parents.add(parent);
    place(task, snapshot, ledger);
    order.push(task);
    barrier = [task.index];
  }
}
