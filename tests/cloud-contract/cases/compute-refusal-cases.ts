import type { ContractCase } from './contract-case.ts';

type Minors = readonly number[];

function refusedReads(path: string, minors: Minors): ContractCase[] {
  return minors.map((minor) => ({ service: 'compute', path, microversion: `2.${minor}` }));
}

function refusedActions(server: string, body: object, minors: Minors): ContractCase[] {
  return minors.map((minor) => ({
    service: 'compute',
    method: 'POST',
    path: `/servers/${server}/action`,
    microversion: `2.${minor}`,
    body,
  }));
}

function refusedUpdates(path: string, body: object, minors: Minors): ContractCase[] {
  return minors.map((minor) => ({ service: 'compute', method: 'PUT', path, microversion: `2.${minor}`, body }));
}

const live = (fields: object) => ({ 'os-migrateLive': fields });
const missing: ContractCase[] = [
  ...refusedReads('/servers/{unknown}', [1, 104]),
  ...refusedReads('/servers/{unknown}/shares', [97, 104]),
  ...refusedReads('/servers/{plain}/shares', [96]),
  ...refusedReads('/servers/{plain}/shares/{unknown}', [97]),
  ...refusedReads('/servers/{unknown}/migrations', [80]),
  ...refusedReads('/servers/{plain}/migrations/999999999', [80]),
  ...refusedReads('/servers/{plain}/migrations', [22]),
  ...refusedReads('/servers/{unknown}/os-instance-actions', [104]),
  ...refusedReads('/servers/{plain}/os-instance-actions/req-{unknown}', [84, 104]),
  ...refusedReads('/os-hypervisors/{unknown}', [53, 104]),
  ...refusedReads('/os-hypervisors/0000', [53]),
  ...refusedReads('/os-hypervisors/{hypervisor}/uptime', [88, 104]),
  ...refusedReads('/os-hypervisors/detail?hypervisor_hostname_pattern=no-such-host', [53, 104]),
  ...refusedReads('/flavors/no-such-flavor', [1, 104]),
  ...refusedReads('/flavors/no-such-flavor/os-extra_specs', [104]),
  ...refusedReads('/os-aggregates/999999', [41, 104]),
  ...refusedReads('/os-server-groups/{unknown}', [64, 104]),
  ...refusedReads('/no-such-collection', [1, 104]),
];

const parameters: ContractCase[] = [
  ...refusedReads('/servers/detail?limit=none', [1, 104]),
  ...refusedReads('/servers/detail?limit=-1', [104]),
  ...refusedReads('/servers/detail?all_tenants=perhaps', [1, 104]),
  ...refusedReads('/servers/detail?marker={unknown}', [53, 104]),
  ...refusedReads('/servers/detail?nonsense=1', [75, 103, 104]),
  ...refusedReads('/servers?nonsense=1', [104]),
  ...refusedReads('/os-hypervisors/detail?nonsense=1', [28, 33, 53, 104]),
  ...refusedReads('/os-hypervisors/detail?marker={unknown}', [53, 104]),
  ...refusedReads('/os-hypervisors/detail?limit=none', [53]),
  ...refusedReads('/os-services?nonsense=1', [74, 75, 103]),
  ...refusedReads('/os-migrations?nonsense=1', [58, 59, 80, 104]),
  ...refusedReads('/os-migrations?marker={unknown}', [59, 104]),
  ...refusedReads('/os-server-groups?nonsense=1', [74, 75, 104]),
  ...refusedReads('/flavors/detail?nonsense=1', [74, 75, 104]),
  ...refusedReads('/flavors/detail?marker=no-such-flavor', [1, 104]),
  ...refusedReads('/os-aggregates?nonsense=1', [103]),
  ...refusedReads('/os-availability-zone?nonsense=1', [103]),
  ...refusedReads('/servers', [999]),
  { service: 'compute', path: '/servers', microversion: 'nonsense' },
  { service: 'compute', path: '/servers', token: 'wrong' },
];

const moves: ContractCase[] = [
  ...refusedActions('{unknown}', live({ host: null, block_migration: 'auto' }), [34, 104]),
  ...refusedActions('{plain}', live({ host: 'no-such-host', block_migration: 'auto' }), [25, 30, 68, 104]),
  ...refusedActions('{plain}', live({ host: '{host}', block_migration: 'auto' }), [30]),
  ...refusedActions('{plain}', live({ host: '{other}' }), [25, 68, 104]),
  ...refusedActions('{plain}', live({ block_migration: 'auto' }), [68]),
  ...refusedActions('{plain}', live({ host: '{other}', block_migration: 'perhaps' }), [68]),
  ...refusedActions('{plain}', live({ host: '{other}', block_migration: 'auto', force: true }), [25, 68, 104]),
  ...refusedActions('{plain}', live({ host: '{other}', block_migration: 'auto', disk_over_commit: false }), [25, 104]),
  ...refusedActions('{plain}', live({ host: '{other}', block_migration: false }), [1]),
  ...refusedActions('{off}', live({ host: '{other}', block_migration: 'auto' }), [30, 104]),
  ...refusedActions('{unknown}', { migrate: null }, [1, 104]),
  ...refusedActions('{plain}', { migrate: { host: 'no-such-host' } }, [56, 104]),
  ...refusedActions('{plain}', { migrate: { host: '{host}' } }, [56, 104]),
  ...refusedActions('{plain}', { migrate: { nonsense: 1 } }, [56, 104]),
  ...refusedActions('{plain}', { migrate: 'nonsense' }, [56]),
  ...refusedActions('{plain}', { evacuate: {} }, [14, 29, 68, 95, 104]),
  ...refusedActions('{plain}', { evacuate: { host: '{host}' } }, [68, 104]),
  ...refusedActions('{plain}', { evacuate: { host: 'no-such-host' } }, [14, 68, 104]),
  ...refusedActions('{plain}', { evacuate: { host: '{other}', force: true } }, [14, 68, 104]),
  ...refusedActions('{plain}', { evacuate: { onSharedStorage: true } }, [14, 104]),
  ...refusedActions('{unknown}', { evacuate: {} }, [104]),
  ...refusedActions('{plain}', { resize: { flavorRef: '{flavor}' } }, [1, 104]),
  ...refusedActions('{plain}', { resize: { flavorRef: 'no-such-flavor' } }, [1, 104]),
  ...refusedActions('{plain}', { resize: {} }, [1, 104]),
  ...refusedActions('{plain}', { confirmResize: null }, [1, 104]),
  ...refusedActions('{plain}', { revertResize: null }, [1, 104]),
  ...refusedActions('{plain}', { 'os-start': null }, [1, 104]),
  ...refusedActions('{off}', { 'os-stop': null }, [1, 104]),
  ...refusedActions('{off}', { pause: null }, [104]),
  ...refusedActions('{off}', { suspend: null }, [104]),
  ...refusedActions('{plain}', { unpause: null }, [104]),
  ...refusedActions('{plain}', { resume: null }, [104]),
  ...refusedActions('{plain}', { unshelve: null }, [1, 104]),
  ...refusedActions('{plain}', { nonsense: null }, [1, 104]),
  ...refusedActions('{plain}', {}, [104]),
  { service: 'compute', method: 'DELETE', path: '/servers/{plain}/migrations/999999999', microversion: '2.65' },
  { service: 'compute', method: 'DELETE', path: '/servers/{unknown}', microversion: '2.104' },
];

const anyMove = { host: '{other}', block_migration: 'auto' };
/** Operations of servers whose ports or shares forbid some of them. */
const attachments: ContractCase[] = [
  ...['accelerated', 'physical'].flatMap((name) => [
    ...refusedActions(`{${name}}`, live(anyMove), [30, 104]),
    ...refusedActions(`{${name}}`, { migrate: null }, [1, 104]),
    ...refusedActions(`{${name}}`, { migrate: { host: '{other}' } }, [56, 104]),
    ...refusedActions(`{${name}}`, { resize: { flavorRef: '{flavor}' } }, [104]),
    ...refusedActions(`{${name}}`, { evacuate: {} }, [95, 104]),
    ...refusedActions(`{${name}}`, { suspend: null }, [104]),
    ...refusedActions(`{${name}}`, { shelve: null }, [104]),
  ]),
  ...refusedActions('{sharing}', live(anyMove), [30, 96, 97, 104]),
  ...refusedActions('{sharing}', { evacuate: {} }, [95, 104]),
  ...refusedActions('{sharing}', { suspend: null }, [97, 104]),
  ...refusedActions('{sharing}', { shelve: null }, [97, 104]),
  ...refusedReads('/servers/{sharing}/shares', [97, 104]),
];

const services: ContractCase[] = [
  ...refusedUpdates('/os-services/{unknown}', { status: 'enabled' }, [53, 104]),
  ...refusedUpdates('/os-services/0000', { status: 'enabled' }, [53, 104]),
  ...refusedUpdates('/os-services/{service}', {}, [53, 104]),
  ...refusedUpdates('/os-services/{service}', { status: 'perhaps' }, [53, 104]),
  ...refusedUpdates('/os-services/{service}', { nonsense: 1 }, [53]),
  ...refusedUpdates('/os-services/{service}', { status: 'enabled', disabled_reason: 'contract' }, [53, 104]),
  ...refusedUpdates('/os-services/{service}', { disabled_reason: 'contract' }, [53]),
  ...refusedUpdates('/os-services/enable', { host: 'no-such-host', binary: 'nova-compute' }, [1]),
  ...refusedUpdates('/os-services/nonsense', { host: '{host}', binary: 'nova-compute' }, [1]),
];

const creations: ContractCase[] = [
  { 'os:scheduler_hints': { different_host: ['nonsense'] } },
  { 'os:scheduler_hints': { group: '{unknown}' } },
  { server: { flavorRef: 'no-such-flavor' } },
  { server: { host: 'no-such-host' } },
  { server: { availability_zone: 'no-such-zone' } },
  { server: { name: '' } },
].map(({ server, ...others }) => ({
  service: 'compute',
  method: 'POST',
  path: '/servers',
  microversion: '2.104',
  body: {
    server: { name: 'contract-refused', flavorRef: '{flavor}', imageRef: '{image}', networks: 'none', ...server },
    ...others,
  },
}));

/** Requests that Nova refuses, and a few that only old microversions refuse. */
export const computeRefusalCases: readonly ContractCase[] = [
  ...missing,
  ...parameters,
  ...attachments,
  ...moves,
  ...services,
  ...creations,
];
