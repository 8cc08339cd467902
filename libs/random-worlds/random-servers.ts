import type { FlavorDetails, Server, ServerGroup } from '#libs/openstack';
import type { CrookedWorld } from './crooked-world.ts';
import type { Draw } from './draw.ts';
import { amountsOf } from './nova-demands.ts';
import { createNovaJudge, type NovaJudge } from './nova-judge.ts';
import { claim } from './providers.ts';
import { projects, uuidOf } from './random-hosts.ts';

/** vcpus, MiB and GiB. Small flavors are more frequent. */
const sizes = [
  [1, 2048, 20],
  [1, 2048, 20],
  [2, 4096, 20],
  [2, 8192, 40],
  [4, 8192, 80],
  [8, 32_768, 160],
] as const;

const specs: Record<string, string>[] = [
  { 'trait:CUSTOM_SSD': 'required' },
  { 'trait:CUSTOM_SSD': 'forbidden' },
  { 'aggregate_instance_extra_specs:fast': 'true' },
  { 'aggregate_instance_extra_specs:fast': '<or> yes <or> maybe' },
  { fast: 's!= no' },
  { 'hw:mem_page_size': 'large' },
  { 'hw:numa_nodes': '2' },
  { 'hw:cpu_policy': 'dedicated' },
  { 'hw:cpu_policy': 'dedicated', 'hw:cpu_thread_policy': 'isolate', 'hw:emulator_threads_policy': 'isolate' },
  { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '0' },
  { 'resources:VCPU': '6' },
  { 'resources:PCPU': '2', 'resources:VCPU': '0' },
  { 'resources:CUSTOM_GPU': '1' },
  { 'pci_passthrough:alias': 'gpu:1' },
];

const images: Record<string, string>[] = [
  { os_type: 'windows' },
  { os_type: 'linux' },
  { hw_cpu_policy: 'dedicated' },
  { 'trait:CUSTOM_SSD': 'required' },
];

/** vm_state with power state and the API's status. Most servers run. */
const states: [vmState: string, powerState: number, status: string, share: number][] = [
  ['active', 1, 'ACTIVE', 0.74],
  ['stopped', 4, 'SHUTOFF', 0.1],
  ['paused', 3, 'PAUSED', 0.04],
  ['suspended', 4, 'SUSPENDED', 0.03],
  ['shelved', 4, 'SHELVED', 0.02],
  ['rescued', 1, 'RESCUE', 0.01],
  ['error', 0, 'ERROR', 0.02],
  ['active', 4, 'ACTIVE', 0.02],
  ['resized', 1, 'VERIFY_RESIZE', 0.02],
];

function stateOf(draw: Draw): Pick<Server, 'vmState' | 'powerState' | 'status'> {
  let dice = draw.unit();
  for (const [vmState, powerState, status, share] of states) {
    dice -= share;
    if (dice < 0) return { vmState, powerState, status };
  }
  return { vmState: 'active', powerState: 1, status: 'ACTIVE' };
}

function flavorOf(draw: Draw): FlavorDetails {
  const [vcpus, ramMb, diskGb] = draw.pick(sizes);
  const extraSpecs = draw.chance(0.15) ? draw.pick(specs) : {};
  return {
    ...{ id: null, name: `m${vcpus}-${ramMb}`, vcpus, ramMb, diskGb, extraSpecs },
    ephemeralGb: draw.chance(0.05) ? 10 : 0,
    swapMb: draw.chance(0.05) ? 512 : 0,
  };
}

function serverOf(draw: Draw, index: number): Server {
  const bootedFromVolume = draw.chance(0.2);
  return {
    ...{ uuid: uuidOf(3, index), name: `vm-${index}`, ...stateOf(draw), host: null, hypervisorHostname: null },
    ...{ availabilityZone: null, taskState: null, fault: null },
    projectId: draw.pick(projects),
    locked: draw.chance(0.04),
    metadata: draw.chance(0.2) ? { optimize: draw.pick(['true', 'False']), 'watcher-priority': '3' } : {},
    bootedFromVolume,
    imageProperties: !bootedFromVolume && draw.chance(0.15) ? draw.pick(images) : {},
    flavor: flavorOf(draw),
    attachedVolumeIds: [],
    serverGroupIds: [],
    created: `2026-01-01T00:${String(index % 60).padStart(2, '0')}:00Z`,
  };
}

const policies: [ServerGroup['policy'], number][] = [
  ['affinity', 1],
  ['anti-affinity', 1],
  ['anti-affinity', 2],
  ['soft-affinity', 1],
  ['soft-anti-affinity', 1],
];

function addGroups(world: CrookedWorld, draw: Draw): void {
  for (let row = draw.whole(2, 8); row > 0; row--) {
    const [policy, maxServerPerHost] = draw.pick(policies);
    world.serverGroups.push({ uuid: uuidOf(7, row), name: `group-${row}`, policy, maxServerPerHost, members: [] });
  }
}

function join(world: CrookedWorld, draw: Draw, server: Server): void {
  const group = draw.pick(world.serverGroups);
  group.members.push(server.uuid);
  server.serverGroupIds = [group.uuid];
}

/** Reasons in the destination only, independent of the server's state. */
const aboutRoom =
  /^(no |unit of|[A-Z_]+:|lacks|has trait|architecture|NUMA|aggregate|tenant|image|host is kept|pinned|anti-aff)/;

/** A host on which Nova could have built the server: preferably that of its group. */
function placeFor(world: CrookedWorld, judge: NovaJudge, draw: Draw, server: Server): string | null {
  const group = world.serverGroups.find(({ members }) => members.includes(server.uuid));
  const mates = world.servers.filter(({ uuid, host }) => host !== null && group?.members.includes(uuid));
  const kept = group?.policy === 'affinity' && mates.length > 0 ? mates.map(({ host }) => host as string) : null;
  const names = kept ?? draw.shuffled(world.services.map(({ host }) => host));
  const fits = (name: string) => judge.refusals(server.uuid, 'cold', name).every((reason) => !aboutRoom.test(reason));
  return names.find(fits) ?? null;
}

function settle(world: CrookedWorld, server: Server, host: string): void {
  const hypervisor = world.hypervisors.find(({ serviceHost }) => serviceHost === host);
  const service = world.services.find((candidate) => candidate.host === host);
  server.host = host;
  server.hypervisorHostname = hypervisor?.hypervisorHostname ?? null;
  server.availabilityZone = service?.zone ?? null;
  claim(world, hypervisor?.uuid ?? '', server.uuid, amountsOf(server));
}

/**
 * Servers in every state. Nova could have placed all but a few of them, which it would no longer place there.
 * Servers without a place are left out.
 */
export function addServers(world: CrookedWorld, draw: Draw, count: number): void {
  addGroups(world, draw);
  for (let index = 0; index < count; index++) {
    const server = serverOf(draw, index);
    if (draw.chance(0.25)) join(world, draw, server);
    world.servers.push(server);
    // The judge knows only the servers that existed at its creation.
    const judge = createNovaJudge(world);
    const anywhere = draw.pick(world.services).host;
    const hasClasses = !judge.refusals(server.uuid, 'cold', anywhere).some((reason) => reason.startsWith('no '));
    const host = draw.chance(0.02) && hasClasses ? anywhere : placeFor(world, judge, draw, server);
    if (host === null) {
      world.servers.pop();
      for (const group of world.serverGroups) group.members = group.members.filter((uuid) => uuid !== server.uuid);
      continue;
    }
    settle(world, server, host);
    if (draw.chance(0.1)) world.pins.set(server.uuid, server.availabilityZone as string);
  }
}
