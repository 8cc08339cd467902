import type { WorldFile, WorldHost, WorldPool, WorldServer } from '#libs/world-file';
import { anonymiseConstant, anonymiseText, anonymiseTexts } from './anonymise-specs.ts';
import type { Pseudonyms } from './pseudonyms.ts';

/** Disabled reasons that strategies compare. */
const knownReasons = new Set(['watcher_disabled', 'watcher_maintaining']);
/** Models of CPUs as libvirt names them. */
const cpuFamilies = [
  ...[
    'host-model',
    'host-passthrough',
    'kvm32',
    'kvm64',
    'qemu32',
    'qemu64',
    'Conroe',
    'Penryn',
    'Nehalem',
    'Westmere',
  ],
  ...['SandyBridge', 'IvyBridge', 'Haswell', 'Broadwell', 'Skylake', 'Cascadelake', 'Cooperlake', 'Icelake'],
  ...['SapphireRapids', 'GraniteRapids', 'EPYC', 'Opteron_G[1-5]'],
];
const cpuVariants = ['Server', 'Client', 'Rome', 'Milan', 'Genoa', 'IBPB', 'IBRS', 'noTSX', 'v\\d+'];
const cpuModel = new RegExp(`^(${cpuFamilies.join('|')})(-(${cpuVariants.join('|')}))*$`);
const architectures = /^(x86_64|i686|aarch64|ppc64le|s390x|riscv64)$/;
/** Nova's default zone and its internal zone for services. */
const knownZones = new Set(['nova', 'internal']);

/**
 * Replaces names, ids, projects, metadata, addresses, zones, flavors, custom traits, resource classes and extra specs
 * of a world by pseudonyms. Sizes, states, times, standard traits and standard extra specs stay. Equal texts stay
 * equal. The order of all lists stays.
 */
export function anonymiseWorld(world: WorldFile, names: Pseudonyms): WorldFile {
  const { description: _, licence: __, attribution: ___, region: ____, ...rest } = world;
  const lists = { ...listsOf(world, names), ...storageOf(world, names) };
  return {
    ...rest,
    name: 'recorded',
    ...(world.recording ? { recording: { ...world.recording, anonymised: true } } : {}),
    ...lists,
    hosts: world.hosts.map((host) => anonymousHost(host, names)),
    flavors: world.flavors.map((flavor) => ({
      ...flavor,
      name: names.name('flavor', flavor.name),
      ...(flavor.id === undefined ? {} : { id: names.name('flavor', flavor.id) }),
      ...(flavor.extra_specs && { extra_specs: anonymiseTexts(names, flavor.extra_specs) }),
    })),
    servers: world.servers.map((server) => anonymousServer(server, names)),
  };
}

function zoneOf(names: Pseudonyms, zone: string): string {
  return knownZones.has(zone) ? zone : names.name('zone', zone);
}

function anonymousHost(host: WorldHost, names: Pseudonyms): WorldHost {
  const { host_ip: _, ...rest } = host;
  const reason = host.disabled_reason;
  return {
    ...rest,
    hostname: names.name('host', host.hostname),
    ...(host.uuid && { uuid: names.uuid(host.uuid) }),
    ...(host.zone && { zone: zoneOf(names, host.zone) }),
    ...(host.cell && { cell: names.name('cell', host.cell) }),
    ...(host.traits && { traits: host.traits.map((trait) => anonymiseConstant(names, trait)).sort() }),
    ...(reason && { disabled_reason: knownReasons.has(reason) ? reason : names.name('reason', reason) }),
    ...(host.cpu_arch && { cpu_arch: keptOr(architectures, host.cpu_arch, names) }),
    ...(host.cpu_model && { cpu_model: keptOr(cpuModel, host.cpu_model, names) }),
  };
}

function keptOr(known: RegExp, text: string, names: Pseudonyms): string {
  return known.test(text) ? text : names.name('cpu', text);
}

const uuidHints = new Set(['different_host', 'same_host', 'group']);

function anonymousServer(server: WorldServer, names: Pseudonyms): WorldServer {
  const { scheduler_hints: hints } = server;
  return {
    ...server,
    name: names.name('vm', server.name),
    ...(server.uuid && { uuid: names.uuid(server.uuid) }),
    flavor: names.name('flavor', server.flavor),
    host: names.name('host', server.host),
    ...(server.project && { project: names.name('project', server.project) }),
    ...(server.metadata && { metadata: anonymiseTexts(names, server.metadata) }),
    ...(server.group && { group: names.name('group', server.group) }),
    ...(server.volumes && { volumes: server.volumes.map((volume) => names.name('volume', volume)) }),
    ...(server.image_properties && { image_properties: anonymiseTexts(names, server.image_properties) }),
    ...(server.pinned_zone && { pinned_zone: zoneOf(names, server.pinned_zone) }),
    ...(server.shares && { shares: server.shares.map((share) => names.name('share', share)) }),
    ...(hints && { scheduler_hints: anonymousHints(hints, names) }),
  };
}

const knownHints = new Set([...uuidHints, 'query', 'build_near_host_ip', 'cidr', 'different_cell', 'target_cell']);

function anonymousHints(hints: NonNullable<WorldServer['scheduler_hints']>, names: Pseudonyms) {
  const entries = Object.entries(hints).map(([name, value]) => {
    const replace = (one: string) => (uuidHints.has(name) ? names.uuid(one) : names.name('text', one));
    const key = knownHints.has(name) ? name : names.name('key', name);
    return [key, typeof value === 'string' ? replace(value) : value.map(replace)] as const;
  });
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function listsOf(world: WorldFile, names: Pseudonyms): Partial<WorldFile> {
  const metadataValue = (key: string, value: string) => {
    if (key === 'availability_zone') return zoneOf(names, value);
    if (!key.startsWith('filter_tenant_id')) return anonymiseText(names, value);
    return value
      .split(',')
      .map((project) => names.name('project', project.trim()))
      .join(',');
  };
  return {
    ...(world.aggregates && {
      aggregates: world.aggregates.map(({ name, hosts, metadata }) => ({
        name: names.name('aggregate', name),
        hosts: hosts.map((host) => names.name('host', host)),
        ...(metadata && { metadata: anonymiseTexts(names, metadata, metadataValue) }),
      })),
    }),
    ...(world.server_groups && {
      server_groups: world.server_groups.map((group) => ({
        ...group,
        name: names.name('group', group.name),
        ...(group.uuid && { uuid: names.uuid(group.uuid) }),
        ...(group.project && { project: names.name('project', group.project) }),
      })),
    }),
    ...(world.baremetal_nodes && {
      baremetal_nodes: world.baremetal_nodes.map((node) => ({
        ...node,
        name: names.name('node', node.name),
        ...(node.uuid && { uuid: names.uuid(node.uuid) }),
        ...(node.host && { host: names.name('host', node.host) }),
        ...(node.maintenance_reason && { maintenance_reason: names.name('reason', node.maintenance_reason) }),
      })),
    }),
  };
}

/** Replaces each part of `host@backend#pool`. */
function poolName(names: Pseudonyms, pool: string): string {
  return pool.replaceAll(/[^@#]+/g, (part) => names.name('pool', part));
}

function anonymousPool(pool: WorldPool, names: Pseudonyms): WorldPool {
  return {
    ...pool,
    name: poolName(names, pool.name),
    ...(pool.backend_name && { backend_name: anonymiseText(names, pool.backend_name) }),
  };
}

function storageOf(world: WorldFile, names: Pseudonyms): Partial<WorldFile> {
  return {
    ...(world.pools && { pools: world.pools.map((pool) => anonymousPool(pool, names)) }),
    ...(world.volume_types && {
      volume_types: world.volume_types.map((type) => ({
        name: names.name('type', type.name),
        ...(type.extra_specs && { extra_specs: anonymiseTexts(names, type.extra_specs) }),
      })),
    }),
    ...(world.volumes && {
      volumes: world.volumes.map((volume) => ({
        ...volume,
        name: names.name('volume', volume.name),
        ...(volume.uuid && { uuid: names.uuid(volume.uuid) }),
        ...(volume.type && { type: names.name('type', volume.type) }),
        ...(volume.pool && { pool: poolName(names, volume.pool) }),
        ...(volume.project && { project: names.name('project', volume.project) }),
        ...(volume.group && { group: names.name('group', volume.group) }),
      })),
    }),
  };
}
