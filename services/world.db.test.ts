import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { buildComputeSnapshot, type ComputeSnapshot } from '#libs/cluster-model';
import { silentLogger } from '#libs/domain';
import { createHistoryWriter } from '#libs/history/connect';
import { createOpenStackCloud, openStackConfigFromEnv } from '#libs/openstack';
import { systemClock } from '#libs/service-kit';
import { decodeWorld, recordedPercent, type WorldFile } from '#libs/world-file';
import { useDatabase } from '#tests';
import { runWorld } from '../tests/run-world.ts';
import { collectComputeModel } from './decision-engine/collectors/compute-collector.ts';
import { createPortReader } from './decision-engine/collectors/port-reader.ts';
import { listingsOf } from './decision-engine/world-tool/audit/world-listings.ts';
import { startSimulator } from './simulator/start-simulator.ts';
import { smallWorld } from './simulator/testing/simulation-fixture.ts';

const { url } = await useDatabase();
const folder = mkdtempSync(join(tmpdir(), 'vigil-world-'));
afterAll(() => rmSync(folder, { recursive: true }));

const secret = 'zqx';
const id = (number: number) => `5ec2e7aa-0000-4000-8000-${String(number).padStart(12, '0')}`;

const hintsOf = (row: number): Record<string, string | string[]> =>
  row === 3 ? { different_host: [id(100)], [`${secret}_hint`]: `${secret} hint` } : {};

/** A cloud in which every text that an operator may choose has the secret in it. */
function hostileWorld(): WorldFile {
  const named = (text: string) => `${secret} ${text} <&"'é>`;
  const specs = { [`${secret}:key`]: named('value'), [`trait:CUSTOM_${secret.toUpperCase()}`]: 'required' };
  return {
    ...smallWorld(),
    hosts: [1, 2, 3].map((number) => ({
      ...{ hostname: `${secret}-host-${number}`, uuid: id(number), vcpus: 8, memory_mb: 16_384, disk_gb: 500 },
      ...{ zone: `${secret}-zone`, traits: ['HW_CPU_X86_AVX2', `CUSTOM_${secret.toUpperCase()}`] },
      ...{ cpu_model: `${secret}-cpu`, host_ip: `10.66.77.${number}`, cpu_allocation_ratio: 4 },
      ...(number === 3 ? { status: 'disabled', disabled_reason: named('reason') } : {}),
      ...(number === 1 ? { foreign_allocations: { VCPU: 3, MEMORY_MB: 2048 } } : {}),
      ...(number === 2 ? { units: { VCPU: { max_unit: 4 }, MEMORY_MB: { min_unit: 256, step_size: 256 } } } : {}),
    })),
    flavors: [
      { name: `${secret}.small`, id: `${secret}1`, vcpus: 2, ram_mb: 2048, disk_gb: 10 },
      { name: `${secret}.spec`, id: `${secret}2`, vcpus: 1, ram_mb: 1024, disk_gb: 10, extra_specs: specs },
      ...[{ name: 'own', id: 'own', vcpus: 1, ram_mb: 512, disk_gb: 1, extra_specs: { 'hw:cpu_policy': 'shared' } }],
    ],
    servers: Array.from({ length: 12 }, (_, row) => ({
      ...{ name: named(`vm ${row}`), uuid: id(100 + row), flavor: row % 3 ? `${secret}.small` : `${secret}.spec` },
      ...{ host: `${secret}-host-${1 + (row % 2)}`, project: `${secret}-project-${row % 2}` },
      metadata: { [`${secret}_key`]: named('value'), 'watcher-priority': '3' },
      image_properties: { os_type: 'linux', [`${secret}_image`]: named('value') },
      scheduler_hints: hintsOf(row),
      load: { kind: 'steady', base: 5 + 5 * row, noise: 0, memory: 0.5 } as const,
      ...(row < 2 ? { group: named('group') } : {}),
      ...(row === 5 ? { volumes: [named('volume')] } : {}),
      ...(row === 6 ? { pinned_zone: `${secret}-zone` } : {}),
    })),
    aggregates: [
      {
        name: named('aggregate'),
        hosts: [`${secret}-host-1`],
        metadata: { [`${secret}_key`]: named('value'), filter_tenant_id: `${secret}-project-0` },
      },
    ],
    server_groups: [{ name: named('group'), policy: 'anti-affinity', project: `${secret}-project-0` }],
    pools: [{ name: `${secret}-node@${secret}-backend#${secret}-pool`, total_gb: 1000, backend_name: `${secret}-b` }],
    volume_types: [{ name: named('type'), extra_specs: { volume_backend_name: `${secret}-b` } }],
    volumes: [{ name: named('volume'), uuid: id(900), size_gb: 10, type: named('type'), project: `${secret}-p` }],
    baremetal_nodes: [
      { name: `${secret}-node`, uuid: id(950), host: `${secret}-host-1`, maintenance_reason: named('reason') },
    ],
  };
}

async function startCloud(world: WorldFile, load?: ReturnType<typeof decodeWorld>['load'], withHistory = false) {
  const writer = withHistory
    ? createHistoryWriter({ databaseUrl: url, logger: silentLogger, clock: systemClock })
    : null;
  const simulator = await startSimulator(
    { world, load, writer, clock: systemClock, newUuid: () => crypto.randomUUID(), logger: silentLogger },
    { speed: 1, password: 'vigil', sampleSeconds: 60, backFillMinutes: 60 },
  );
  onTestFinished(async () => {
    await simulator.stop();
    await writer?.close();
  });
  const environment = {
    ...{ VIGIL_DATABASE_URL: url, OS_AUTH_URL: simulator.authUrl, OS_PROJECT_NAME: 'service' },
    ...{ OS_USERNAME: 'vigil', OS_PASSWORD: 'vigil' },
  };
  return { simulator, environment };
}

async function modelOf(environment: Record<string, string>): Promise<ComputeSnapshot> {
  const cloud = createOpenStackCloud(openStackConfigFromEnv(environment), {
    logger: silentLogger,
    clock: systemClock,
  });
  onTestFinished(() => cloud.close());
  const ports = createPortReader({ clock: systemClock, maxAgeMs: 0 });
  return await collectComputeModel(cloud, { clock: systemClock, ports, allTraits: true });
}

/** The model without its time, the numbers of aggregates, and the order of traits. */
function comparable({ takenAtMs: _, ...model }: ComputeSnapshot): unknown {
  return {
    ...model,
    aggregates: model.aggregates.map(({ id: __, ...aggregate }) => aggregate),
    hostInfo: model.hostInfo.map((host) => ({ ...host, traits: [...host.traits].sort() })),
  };
}

it('records a cloud and its history, and plays both again', async () => {
  const { environment } = await startCloud(hostileWorld(), null, true);
  const file = join(folder, 'plain.world');
  const { code, out, err } = await runWorld(
    ['record', '--out', file, '--days', '0.04', '--no-anonymise', '--json'],
    environment,
  );

  expect(code, err).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ hosts: 3, instances: 12, steps: 12, anonymised: false, gaps: [] });
  const recorded = decodeWorld(readFileSync(file), file);
  const row = recorded.world.servers.findIndex(({ uuid }) => uuid === id(109));
  const percents = Array.from({ length: 12 }, (_, step) => recordedPercent(recorded.load!, 'serverCpu', row, step));
  expect(percents.filter((percent) => !Number.isNaN(percent)).length).toBeGreaterThan(5);
  expect([...new Set(percents.filter((percent) => !Number.isNaN(percent)))]).toEqual([50]);

  const { environment: again } = await startCloud(recorded.world, recorded.load);
  const model = await modelOf(environment);
  expect(comparable(await modelOf(again))).toEqual(comparable(model));
  expect(model.hostInfo.map(({ units }) => units?.vcpus?.most)).toEqual([undefined, 4, undefined]);
  const listed = buildComputeSnapshot({ ...listingsOf(recorded.world), takenAtMs: 0 });
  expect(listed.hostInfo.map(({ units }) => units)).toEqual(model.hostInfo.map(({ units }) => units));
  expect(recorded.world.hosts[0]?.foreign_allocations).toEqual({ VCPU: 3, MEMORY_MB: 2048 });
  for (const used of ['vcpusUsed', 'memoryUsed'] as const) expect(listed.hosts[used], used).toEqual(model.hosts[used]);
});

it('shows no text of the cloud, and keeps the fields that strategies need', async () => {
  const { simulator, environment } = await startCloud(hostileWorld(), null, true);
  const file = join(folder, 'anonymous.world');
  const key = join(folder, 'key');
  const args = ['record', '--out', file, '--days', '0.02', '--key-file', key];
  const { code, out, err } = await runWorld(args, environment);

  expect(code, err).toBe(0);
  expect(err).toContain(`Created the key of the pseudonyms: ${key}`);
  expect(out).toContain(`anonymised with the key in ${key}`);
  expect(statSync(key).mode & 0o777).toBe(0o600);
  const { world: anonymous, load } = decodeWorld(readFileSync(file), file);
  const text = JSON.stringify(anonymous).toLowerCase();
  expect(text).not.toContain(secret);
  expect(text).not.toContain('10.66.77');
  const { state } = simulator.simulation;
  const ids = [...state.projects.values()].map((project) => project.id);
  const uuids = [...state.groups.values(), ...state.aggregates.values()].map((item) => item.uuid);
  for (const known of ['5ec2e7aa', ...ids, ...uuids]) expect(text).not.toContain(known);
  for (const part of [file, key]) expect(readFileSync(part).includes(secret)).toBe(false);

  expect(anonymous.hosts[0]?.traits).toContain('HW_CPU_X86_AVX2');
  const model = await modelOf((await startCloud(anonymous, load)).environment);
  const live = await modelOf(environment);
  const shape = (of: ComputeSnapshot) => ({
    groups: of.groups.map(({ policy }) => policy),
    grouped: [...of.instances.group].filter((group) => group >= 0).length,
    memory: [...of.instances.memory].sort(),
    used: [...of.hosts.memoryUsed].sort(),
    hints: of.instanceInfo.flatMap(({ hints }) => hints?.differentHost?.length ?? []),
    pinned: of.instanceInfo.filter(({ pinnedZone }) => of.zones.includes(pinnedZone)).length,
    priorities: of.instanceInfo.map(({ metadata }) => metadata['watcher-priority']),
    // Keys of aggregates that a flavor or an instance may name.
    keys: of.aggregates.flatMap(({ metadata }) => Object.keys(metadata)).length,
  });
  expect(shape(model)).toEqual(shape(live));
  const hinted = model.instanceInfo.find(({ hints }) => hints?.differentHost !== undefined);
  expect(model.instanceInfo.map(({ uuid }) => uuid)).toContain(hinted?.hints?.differentHost?.[0]);

  const second = join(folder, 'second.world');
  await runWorld(['record', '--out', second, '--days', '0', '--key-file', key], environment);
  expect(decodeWorld(readFileSync(second), second).world.servers).toEqual(anonymous.servers);
});

it('records a cloud without services that do not respond, and names their parts', async () => {
  const { environment } = await startCloud(hostileWorld());
  const nowhere = 'http://127.0.0.1:1/';
  const file = join(folder, 'incomplete.world');
  const args = ['record', '--out', file, '--days', '0', '--no-anonymise'];
  const without = (...services: string[]) =>
    Object.fromEntries(services.map((service) => [`OS_${service}_ENDPOINT_OVERRIDE`, nowhere]));
  const { code, out, err } = await runWorld(args, {
    ...environment,
    ...without('BAREMETAL', 'BLOCK_STORAGE', 'NETWORK'),
  });

  expect(code, err).toBe(0);
  for (const part of ['block storage', 'bare metal', 'network ports'])
    expect(err.match(new RegExp(`not complete: ${part} could not be read: .+`, 'g'))).toHaveLength(1);
  expect(out).toContain('not read: block storage, bare metal, network ports');
  const { world: recorded } = decodeWorld(readFileSync(file), file);
  expect(recorded.recording?.unread).toEqual(['block storage', 'bare metal', 'network ports']);
  expect(recorded.servers).toHaveLength(12);

  const needed = await runWorld(args, { ...environment, ...without('PLACEMENT') });
  expect(needed.err).toMatch(/Placement could not be read completely/);
  expect(needed.code).toBe(2);
});

it('reports a key, a file and a cloud that cannot be used in one line', async () => {
  const { environment } = await startCloud(smallWorld());
  const bad = join(folder, 'bad-key');
  writeFileSync(bad, 'secret');
  const out = ['--out', join(folder, 'x.world'), '--days', '0'];
  for (const [args, env, message] of [
    [['record', ...out, '--key-file', bad], {}, /key file .*bad-key: it must have 64 hexadecimal digits/],
    [['record', '--out', '/nowhere/x.world', '--days', '0', '--no-anonymise'], {}, /cannot write \/nowhere\/x.world/],
    [['record', ...out, '--no-anonymise'], { OS_AUTH_URL: 'http://127.0.0.1:1/v3' }, /Keystone/],
    [['record', ...out, '--days', '99'], {}, /It must be a number of days from 0 to 35/],
    [['record'], {}, /required option '--out <file>' not specified/],
  ] as const) {
    const { code, err } = await runWorld([...args], { ...environment, ...env });
    expect(err.trimEnd().split('\n').at(-1)).toMatch(message);
    expect(code).toBe(2);
  }
});
