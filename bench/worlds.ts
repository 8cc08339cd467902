import type { AggregateQuery } from '#libs/history';
import { decodeWorld, derivedUuid, encodeWorld, type WorldFile, type WorldServer } from '#libs/world-file';
import { anonymiseWorld } from '../services/decision-engine/world-tool/record/anonymise-world.ts';
import { createPseudonyms } from '../services/decision-engine/world-tool/record/pseudonyms.ts';
import { recordLoad } from '../services/decision-engine/world-tool/record/record-load.ts';
import { benchArguments } from './arguments.ts';
import { finishBench, rounded } from './report.ts';

const defaults = { hosts: 1000, instances: 20_000, days: 7, seed: 1 };
const stepSeconds = 300;
const startMs = Date.UTC(2026, 0, 5);
/** Maximum bytes of a recording, for the default sizes. */
const mostBytes = 20_000_000;

const hostMemoryMb = 524_288;
const hostVcpus = 64;
const flavors = [
  [1, 2048],
  [2, 4096],
  [2, 8192],
  [4, 16_384],
  [8, 32_768],
] as const;

/** A number in [0, 1) that depends on its arguments only, so that series can be read in any order. */
function noise(seed: number, row: number, step: number): number {
  let state =
    Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(row + 1, 0xc2b2ae35) ^ Math.imul(step + 1, 0x27d4eb2f);
  for (let round = 0; round < 3; round += 1) {
    state ^= state >>> 15;
    state = Math.imul(state, 0x2c1b3c6d);
    state ^= state >>> 12;
  }
  return (state >>> 0) / 2 ** 32;
}

/** Between -1 and 1, smooth over this number of steps. */
function drift(seed: number, row: number, step: number, every: number): number {
  const knot = Math.floor(step / every);
  const [before, after] = [noise(seed, row, knot), noise(seed, row, knot + 1)];
  return 2 * (before + ((after - before) * (step % every)) / every) - 1;
}

/** A third idles, a third is steady, a third has a daily season, less at weekends. All have noise, some have bursts. */
function cpuPercent(seed: number, row: number, step: number): number {
  const [kind, level, phase] = [noise(seed, row, -2), noise(seed, row, -3), noise(seed, row, -4)];
  const jitter = noise(seed, row, step) + noise(seed + 1, row, step) - 1;
  if (kind < 1 / 3) return 0.5 + 4 * level + 0.8 * jitter;
  const inBurst = noise(seed + 2, row, Math.floor(step / 6)) < 0.01 ? 30 + 30 * level : 0;
  const slow = 3 * drift(seed + 3, row, step, 24);
  if (kind < 2 / 3) return Math.min(100, 5 + 40 * level + slow + 4 * jitter + inBurst);
  const weekend = Math.floor(step / 288) % 7 >= 5 ? 0.4 : 1;
  const season = 0.5 + 0.5 * Math.sin(2 * Math.PI * (step / 288 + phase));
  return Math.min(100, 4 + 45 * level * season * weekend + slow + 5 * jitter + inBurst);
}

function memoryPercent(seed: number, row: number, step: number): number {
  const level = 25 + 50 * noise(seed, row, -5);
  return level + 6 * drift(seed + 4, row, step, 144) + 0.6 * (noise(seed + 5, row, step) - 0.5);
}

/** Every hundredth server has no samples, and every server has gaps of half an hour. */
const isMissing = (seed: number, row: number, step: number) =>
  row % 100 === 99 || noise(seed + 6, row, Math.floor(step / 6)) < 0.002;

function inventory({ hosts, instances, seed }: typeof defaults): WorldFile {
  const groups = Math.ceil(instances / 25);
  const server = (row: number): WorldServer => ({
    ...{ name: `vm-${row}`, uuid: derivedUuid(`vm ${row}`), flavor: `f${Math.floor(5 * noise(seed, row, -6))}` },
    ...{ host: `compute-${Math.floor(hosts * noise(seed, row, -7))}`, project: `project-${row % 200}` },
    created: new Date(startMs - Math.floor(noise(seed, row, -8) * 3e10)).toISOString(),
    metadata: row % 3 === 0 ? { role: `role-${row % 40}` } : {},
    ...(row % 20 < 2 ? { group: `group-${Math.floor(row / 20) % groups}` } : {}),
  });
  return {
    ...{ format: 'vigil-simulator-world', version: 1, name: 'bench', storage: 'shared' },
    recording: { start: new Date(startMs).toISOString(), step_seconds: stepSeconds, steps: 0, anonymised: true },
    hosts: Array.from({ length: hosts }, (_, row) => ({
      ...{ hostname: `compute-${row}`, uuid: derivedUuid(`host ${row}`), vcpus: hostVcpus },
      memory_mb: hostMemoryMb,
      ...{ disk_gb: 10_000, cpu_allocation_ratio: 4, zone: `zone-${row % 3}`, traits: ['HW_CPU_X86_AVX2'] },
    })),
    flavors: flavors.map(([vcpus, ram], row) => ({ name: `f${row}`, vcpus, ram_mb: ram, disk_gb: 40 })),
    servers: Array.from({ length: instances }, (_, row) => server(row)),
    server_groups: Array.from({ length: groups }, (_, row) => ({ name: `group-${row}`, policy: 'anti-affinity' })),
  };
}

/** A history with the load of the inventory. Hosts have the load of their servers and of services. */
function historyOf({ servers, hosts }: WorldFile, seed: number) {
  const hostRows = new Map(hosts.map(({ hostname }, row) => [hostname, row]));
  const hostOf = Int32Array.from(servers, ({ host }) => hostRows.get(host) ?? 0);
  const sizes = servers.map(({ flavor }) => flavors[Number(flavor.slice(1))] as (typeof flavors)[number]);

  /** CPU in percent, memory in MiB. */
  function ofServers(step: number, isCpu: boolean): Map<string, number> {
    const found = new Map<string, number>();
    for (const [row, { uuid = '' }] of servers.entries()) {
      if (isMissing(seed, row, step)) continue;
      const memory = (sizes[row]?.[1] ?? 0) / 100;
      found.set(uuid, isCpu ? cpuPercent(seed, row, step) : memory * memoryPercent(seed, row, step));
    }
    return found;
  }

  /** CPU in percent, memory in KiB. */
  function ofHosts(step: number, isCpu: boolean): Map<string, number> {
    const sums = new Float64Array(hosts.length).fill(1 + noise(seed + 7, 0, step));
    for (const [row, [vcpus, memory]] of sizes.entries()) {
      const cpu = (cpuPercent(seed, row, step) * vcpus) / hostVcpus;
      sums[hostOf[row] as number]! += isCpu ? cpu : (memoryPercent(seed, row, step) * memory) / hostMemoryMb;
    }
    const unit = isCpu ? 1 : (hostMemoryMb * 1024) / 100;
    return new Map(hosts.map(({ hostname }, row) => [hostname, Math.min(100, sums[row] as number) * unit]));
  }

  return {
    async aggregate({ metric, endMs = 0 }: AggregateQuery): Promise<Map<string, number>> {
      const step = Math.round((endMs - startMs) / (stepSeconds * 1000)) - 1;
      return (metric.startsWith('host') ? ofHosts : ofServers)(step, metric.endsWith('cpu_usage'));
    },
  };
}

function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/**
 * Size of a recording of a generated cloud (`--hosts`, `--instances`, `--days`, `--seed`), and processor time to read
 * the history, to write the file and to read it, by the code of `vigil world record`. Names are pseudonyms.
 */
export async function worldsBench(args: string[]): Promise<void> {
  const { json, numbers } = benchArguments(args, defaults);
  const { hosts, instances, days, seed } = numbers;
  const original = inventory(numbers);
  const started = processorSeconds();
  const world = anonymiseWorld(original, createPseudonyms(Buffer.alloc(32, seed)));
  const rows = {
    servers: original.servers.map(({ uuid = '', flavor }) => {
      const [vcpus, memory] = flavors[Number(flavor.slice(1))] as (typeof flavors)[number];
      return { resource: uuid, vcpus, memory };
    }),
    hosts: original.hosts.map(({ hostname, memory_mb: memory }) => ({ resource: hostname, memory: memory * 1024 })),
  };
  const steps = (days * 86_400) / stepSeconds;
  const load = await recordLoad(historyOf(original, seed), rows, { startMs, stepSeconds, steps });
  const read = processorSeconds();
  const file = encodeWorld(world, load);
  const written = processorSeconds();
  const { recording } = decodeWorld(file, 'bench').world;
  const samples = 2 * (hosts + instances) * steps;
  const limit = (mostBytes * samples) / (2 * (defaults.hosts + defaults.instances) * 2016);
  finishBench(
    {
      bench: 'worlds',
      results: [
        {
          ...{ name: 'record', hosts, instances, days, megabytes: rounded(file.length / 1e6, 2) },
          bits_per_sample: rounded((8 * file.length) / samples, 2),
          percent_step: recording?.percent_step ?? 0,
          ...{ history_s: rounded(read - started), write_s: rounded(written - read) },
          read_s: rounded(processorSeconds() - written),
        },
      ],
      goals: [{ name: 'size', value: rounded(file.length / 1e6, 2), limit: rounded(limit / 1e6, 2), unit: 'MB' }],
    },
    { json },
  );
}
