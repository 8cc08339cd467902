import { readdirSync, readFileSync } from 'node:fs';

/** Costs of a process so far. */
export interface ProcessCosts {
  /** Processor time in seconds, with that of its children. */
  processorSeconds: number;
  /** Largest resident memory in bytes. Null for the database, whose processes share theirs. */
  peakBytes: number | null;
}

/** The processes of a `vigil up`. */
export interface StackProcesses {
  /** Costs by the word after `vigil`, and of `database`. @throws Error when one of them has ended */
  costs(): Record<string, ProcessCosts>;
}

/** Unit of processor time in `/proc`, the same on all machines with Linux. */
const ticksPerSecond = 100;
const databaseName = 'database';

interface Entry {
  pid: number;
  parent: number;
  /** Of the process and of its ended children. */
  ticks: number;
}

/** Finds the processes below `vigil up` by its process id. Needs Linux. @throws Error elsewhere */
export function findStackProcesses(upPid: number): StackProcesses {
  const known = childrenOf(upPid, readEntries());
  return {
    costs() {
      const entries = readEntries();
      const now = childrenOf(upPid, entries);
      const own = entries.find(({ pid }) => pid === upPid);
      if (own === undefined) throw new Error('vigil up has ended');
      const costs: Record<string, ProcessCosts> = {
        up: { processorSeconds: secondsOf([own]), peakBytes: peakOf(upPid) },
      };
      for (const [name, pid] of known) {
        if (now.get(name) !== pid) throw new Error(`the process ${name} has ended`);
        const processorSeconds = secondsOf(subtreeOf(pid, entries));
        costs[name] = { processorSeconds, peakBytes: name === databaseName ? null : peakOf(pid) };
      }
      return costs;
    },
  };
}

/** Process ids by name. */
function childrenOf(parent: number, entries: readonly Entry[]): Map<string, number> {
  return new Map(
    entries.flatMap((entry) => (entry.parent === parent ? [[nameOf(entry.pid), entry.pid] as const] : [])),
  );
}

function nameOf(pid: number): string {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
  const program = words.findIndex((word) => word.endsWith('vigil.js'));
  return words[program + 1] !== undefined && program >= 0 ? (words[program + 1] as string) : databaseName;
}

function readEntries(): Entry[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      // The name in parentheses may hold blanks. The state, which is the third field, follows it.
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
        .map(Number);
      const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
      return [{ pid: Number(name), parent: fields[1] ?? 0, ticks: user + system + childUser + childSystem }];
    } catch {
      // It has ended since.
      return [];
    }
  });
}

function subtreeOf(pid: number, entries: readonly Entry[]): Entry[] {
  const children = entries.filter(({ parent }) => parent === pid);
  return [
    ...entries.filter((entry) => entry.pid === pid),
    ...children.flatMap((child) => subtreeOf(child.pid, entries)),
  ];
}

function secondsOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond;
}

function peakOf(pid: number): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return 1024 * Number(kib);
}
