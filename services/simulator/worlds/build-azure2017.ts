/**
 * Creates the two shipped worlds from the snapshot of the Azure 2017 trace:
 *
 *     node --conditions=vigil-source services/simulator/worlds/build-azure2017.ts <snapshot.csv.gz> [folder]
 *
 * (on Node 20 through the compiled file). The same input gives the same files. README.md in this folder has the
 * licence of the data, the attribution, and our additions: zones, disks, ratios, loads.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { LoadProfile, WorldFile, WorldFlavor, WorldHost, WorldServer } from '#libs/world-file';
import { checkWorld } from '#libs/world-file';
import { hashText, hashUnit } from '../seeded.ts';

interface Row {
  vm: string;
  tenant: string;
  vcpus: number;
  memoryGb: number;
  createdSeconds: number;
  host: number;
}

const attribution =
  'Derived from AzurePublicDatasetV1 (Cortez et al., "Resource Central", SOSP 2017; Microsoft Azure) through ' +
  'huaweicloud/trace_generation_rnn (Bergsma et al., "Generating Complex, Realistic Cloud Workloads using Recurrent ' +
  'Neural Networks", SOSP 2021). Changed: replayed onto 800 hosts, one moment taken; hosts, placement and loads are ours.';
/** Second 1,800,000 of the trace, the start of the replayed part. */
const traceEpoch = Date.parse('2026-01-01T00:00:00Z');
const traceStartSeconds = 1_800_000;

function readRows(path: string): Row[] {
  const bytes = readFileSync(path);
  const text = (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('utf8');
  const [header, ...lines] = text.trim().split('\n');
  const columns = header?.split(',') ?? [];
  return lines.map((line) => {
    const cells = line.split(',');
    const cell = (name: string) => cells[columns.indexOf(name)] ?? '';
    return {
      vm: cell('vm'),
      tenant: cell('tenant_batch'),
      vcpus: Number(cell('vcpus')),
      memoryGb: Number(cell('mem_gb')),
      createdSeconds: Number(cell('created_s')),
      host: Number(cell('host')),
    };
  });
}

const hostName = (number: number) => `compute-${String(number).padStart(3, '0')}`;
const flavorName = (row: Row) => `az.${row.vcpus}c${row.memoryGb}g`;

function makeHost(number: number, cpuRatio: number): WorldHost {
  return {
    hostname: hostName(number),
    vcpus: 64,
    memory_mb: 256 * 1024,
    disk_gb: 2000,
    cpu_allocation_ratio: cpuRatio,
    reserved_memory_mb: 0,
    migration_bandwidth_mib: 1000,
  };
}

function makeFlavors(rows: Row[]): WorldFlavor[] {
  const flavors = new Map<string, WorldFlavor>();
  for (const row of rows) {
    const name = flavorName(row);
    // The trace has no disks: 10 GB, and 10 GB for each vCPU.
    flavors.set(name, { name, id: name, vcpus: row.vcpus, ram_mb: row.memoryGb * 1024, disk_gb: 10 + 10 * row.vcpus });
  }
  return [...flavors.values()].sort((a, b) => a.vcpus - b.vcpus || a.ram_mb - b.ram_mb);
}

function makeServer(row: Row, load: LoadProfile): WorldServer {
  const created = new Date(traceEpoch + (row.createdSeconds - traceStartSeconds) * 1000).toISOString();
  return {
    name: `vm-${row.vm}`,
    flavor: flavorName(row),
    host: hostName(row.host),
    project: `tenant-${row.tenant}`,
    load,
    created: created.replace('.000Z', 'Z'),
  };
}

const whole = Math.round;
const hundredths = (value: number) => Math.round(value * 100) / 100;

/** Load by tenant and VM: most VMs are lightly loaded, as in the paper about the trace. Kinds 25/35/30/10 %. */
function quietProfile(row: Row): LoadProfile {
  const tenant = hashText(`tenant-${row.tenant}`);
  const vm = hashText(`vm-${row.vm}`);
  const kind = hashUnit(1, tenant, 0);
  const base = whole(3 + 45 * hashUnit(2, tenant, 0) ** 2 + 10 * hashUnit(3, vm, 0));
  const memory = hundredths(0.3 + 0.45 * hashUnit(4, vm, 0));
  const phase = hundredths(hashUnit(5, tenant, 0));
  if (kind < 0.25) return { kind: 'idle', base: 1, memory };
  if (kind < 0.6) return { kind: 'steady', base, memory };
  if (kind < 0.9) return { kind: 'diurnal', base, amplitude: whole(base * 0.6), phase, memory };
  return { kind: 'bursty', base: whole(base / 2), burst_probability: 0.15, burst_cpu: 45, memory };
}

/**
 * Load of a VM on a host with this mean. Each VM is within a quarter of it, and follows the daily profile of its
 * tenant.
 */
function skewedProfile(row: Row, hostMean: number): LoadProfile {
  const vm = hashText(`vm-${row.vm}`);
  const tenant = hashText(`tenant-${row.tenant}`);
  const base = whole(Math.min(95, hostMean * (0.75 + 0.5 * hashUnit(6, vm, 0))));
  const memory = hundredths(0.3 + 0.45 * hashUnit(4, vm, 0));
  const amplitude = whole(Math.min(base * 0.1, 97 - base));
  return { kind: 'diurnal', base, amplitude, phase: hundredths(hashUnit(5, tenant, 0)), memory };
}

function makeWorld(name: string, description: string, rows: Row[], servers: WorldServer[], ratio: number): WorldFile {
  const numbers = [...new Set(rows.map((row) => row.host))].sort((a, b) => a - b);
  return {
    format: 'vigil-simulator-world',
    version: 1,
    name,
    description,
    licence: 'CC-BY-4.0',
    attribution,
    storage: 'local',
    hosts: numbers.map((number) => makeHost(number, ratio)),
    flavors: makeFlavors(rows),
    servers,
    aggregates: [0, 1, 2, 3].map((rack) => ({
      name: `rack-${rack + 1}`,
      hosts: numbers.filter((_, index) => index % 4 === rack).map(hostName),
      metadata: { rack: String(rack + 1) },
    })),
    volume_types: [{ name: 'standard' }],
    pools: [{ name: 'storage-1@ceph#standard', total_gb: 500_000, backend_name: 'ceph' }],
  };
}

/** All hosts and VMs, no over-commit. */
export function buildLargeWorld(rows: Row[]): WorldFile {
  const description =
    'The whole snapshot: 800 hosts of 64 vCPUs and 256 GB, 15,195 VMs, no over-commit; loads by tenant.';
  const servers = rows.map((row) => makeServer(row, quietProfile(row)));
  return makeWorld('azure2017-800', description, rows, servers, 1);
}

/** Mean CPU of the VMs of a host by its rank: 12 hot hosts, 12 warm ones, 16 nearly idle ones. */
function hostMean(rank: number): number {
  if (rank < 12) return 90 - rank;
  if (rank < 24) return 44 - 2 * (rank - 12);
  return 6;
}

/**
 * 40 hosts, evenly spaced in the order of allocated vCPUs. The snapshot determines the hosts of the VMs. Their load is
 * chosen by host, to create an imbalance. vCPUs are over-committed by 2, otherwise few VMs could move.
 */
export function buildSmallWorld(all: Row[]): WorldFile {
  const vcpus = new Map<number, number>();
  for (const row of all) vcpus.set(row.host, (vcpus.get(row.host) ?? 0) + row.vcpus);
  const ranked = [...vcpus].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([host]) => host);
  const chosen = Array.from({ length: 40 }, (_, index) => ranked[index * 20 + 10] as number);
  // A fixed shuffle, so that load is independent of size.
  const shuffled = [...chosen].sort((a, b) => hashUnit(7, a, 0) - hashUnit(7, b, 0));
  const means = new Map(shuffled.map((host, rank) => [host, hostMean(rank)]));
  const rows = all.filter((row) => means.has(row.host));
  const servers = rows.map((row) => makeServer(row, skewedProfile(row, means.get(row.host) as number)));
  const description =
    '40 of the 800 hosts (every 20th by allocated vCPUs) with their VMs; vCPU over-commit 2; load made uneven by host: ' +
    '12 hot, 12 warm, 16 nearly idle.';
  return makeWorld('azure2017-40', description, rows, servers, 2);
}

function save(folder: string, world: WorldFile): void {
  const path = join(folder, `${world.name}.json.gz`);
  checkWorld(world, path);
  const bytes = gzipSync(JSON.stringify(world), { level: 9 });
  // Byte 9 is the operating system. It is fixed, so that the file is reproducible.
  bytes[9] = 255;
  writeFileSync(path, bytes);
  process.stdout.write(
    `${path}: ${world.hosts.length} hosts, ${world.servers.length} servers, ${bytes.length} bytes\n`,
  );
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [source, folder = '.'] = process.argv.slice(2);
  if (source === undefined) {
    process.stderr.write('usage: build-azure2017 <snapshot.csv.gz> [folder]\n');
    process.exitCode = 2;
  } else {
    const rows = readRows(source);
    save(folder, buildSmallWorld(rows));
    save(folder, buildLargeWorld(rows));
  }
}
