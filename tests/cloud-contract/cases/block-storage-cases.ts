import type { ContractCase } from './contract-case.ts';

const volume = '{volume}';

function action(id: string, body: object): ContractCase {
  return { service: 'block-storage', method: 'POST', path: `/volumes/${id}/action`, microversion: '3.71', body };
}

function read(path: string, microversion = '3.71'): ContractCase {
  return { service: 'block-storage', path, microversion };
}

/** Reads and refusals of Cinder. Clouds without volumes skip them. */
export const blockStorageCases: readonly ContractCase[] = [
  read(`/volumes/${volume}`, '3.0'),
  read(`/volumes/${volume}`, '3.13'),
  read(`/volumes/${volume}`, '3.48'),
  read(`/volumes/${volume}`, '3.61'),
  read(`/volumes/${volume}`, '3.63'),
  read(`/volumes/${volume}`),
  read('/volumes/{unknown}'),
  read('/volumes/detail?all_tenants=True&marker={unknown}'),
  read('/volumes/detail?limit=nonsense'),
  read('/types/no-such-type'),
  read('/types/{unknown}'),
  read('/scheduler-stats/get_pools'),
  read('/scheduler-stats/get_pools?detail=True'),
  read('/os-services?binary=cinder-volume', '3.0'),
  read('/os-services?binary=cinder-volume', '3.7'),
  read('/os-services?binary=cinder-volume'),
  read('/no-such-collection'),
  action('{unknown}', { 'os-migrate_volume': { host: 'no-such-host@no#pool' } }),
  action(volume, { 'os-migrate_volume': { host: 'no-such-host@no#pool' } }),
  action(volume, { 'os-migrate_volume': { host: '{pool}' } }),
  action(volume, { 'os-migrate_volume': {} }),
  action(volume, { 'os-migrate_volume': { host: '{pool}', nonsense: 1 } }),
  action(volume, { 'os-migrate_volume': { host: '{pool}', force_host_copy: 'perhaps' } }),
  action('{unknown}', { 'os-retype': { new_type: 'no-such-type' } }),
  action(volume, { 'os-retype': { new_type: 'no-such-type' } }),
  action(volume, { 'os-retype': {} }),
  action(volume, { 'os-retype': { new_type: 'no-such-type', migration_policy: 'perhaps' } }),
  action(volume, { nonsense: null }),
];
