import type { CloudCallOptions } from '../call-options.ts';
import type { ServiceClient } from '../service/service-client.ts';
import { getFlavor, listFlavors } from './flavors.ts';
import { findHypervisorByServiceHost, getHypervisor, listHypervisors } from './hypervisors.ts';
import {
  getInstanceActionFault,
  listInstanceActions,
  listMigrations,
  listMigrationsSince,
  listServerMigrations,
} from './migrations.ts';
import {
  abortLiveMigration,
  coldMigrate,
  confirmResize,
  deleteServer,
  evacuate,
  liveMigrate,
  resizeServer,
  revertResize,
  shelveServer,
  startServer,
  stopServer,
} from './server-actions.ts';
import { listServerGroups } from './server-groups.ts';
import { getServer, listServers } from './servers.ts';
import { listServices, setServiceStatus } from './services.ts';
import { listServerShares } from './shares.ts';
import type { Aggregate, ComputePort } from './types.ts';

/** From 2.41 on aggregates have a uuid. */
const versions = { min: '2.41', max: '2.81' };

/** Nova behind the port. */
export function createComputePort(client: ServiceClient): ComputePort {
  return {
    listHypervisors: (options) => listHypervisors(client, options),
    findHypervisorByServiceHost: (host, options) => findHypervisorByServiceHost(client, host, options),
    getHypervisor: (uuid, options) => getHypervisor(client, uuid, options),
    listServers: (filter, options) => listServers(client, filter, options),
    getServer: (uuid, options) => getServer(client, uuid, options),
    listServerShares: (uuid, options) => listServerShares(client, uuid, options),
    listServices: (options) => listServices(client, options),
    listAggregates: (options) => listAggregates(client, options),
    listServerGroups: (options) => listServerGroups(client, options),
    listFlavors: (options) => listFlavors(client, options),
    getFlavor: (id, options) => getFlavor(client, id, options),
    listMigrations: (filter, options) => listMigrations(client, filter.serverUuid, options),
    listMigrationsSince: (sinceMs, options) => listMigrationsSince(client, sinceMs, options),
    listServerMigrations: (uuid, options) => listServerMigrations(client, uuid, options),
    listInstanceActions: (uuid, options) => listInstanceActions(client, uuid, options),
    getInstanceActionFault: (uuid, request, options) => getInstanceActionFault(client, uuid, request, options),
    liveMigrate: (uuid, host, options) => liveMigrate(client, uuid, host, options),
    coldMigrate: (uuid, host, options) => coldMigrate(client, uuid, host, options),
    evacuate: (uuid, host, options) => evacuate(client, uuid, host, options),
    confirmResize: (uuid, options) => confirmResize(client, uuid, options),
    revertResize: (uuid, options) => revertResize(client, uuid, options),
    abortLiveMigration: (uuid, id, options) => abortLiveMigration(client, uuid, id, options),
    resizeServer: (uuid, flavorId, options) => resizeServer(client, uuid, flavorId, options),
    deleteServer: (uuid, options) => deleteServer(client, uuid, options),
    shelveServer: (uuid, options) => shelveServer(client, uuid, options),
    stopServer: (uuid, options) => stopServer(client, uuid, options),
    startServer: (uuid, options) => startServer(client, uuid, options),
    setServiceStatus: (id, status, reason, options) => setServiceStatus(client, id, status, reason, options),
  };
}

/** All host aggregates; Nova does not page them. */
async function listAggregates(client: ServiceClient, options?: CloudCallOptions): Promise<Aggregate[]> {
  const response = await client.read({ method: 'GET', path: '/os-aggregates', versions, options });
  return response.list('aggregates').map((fields) => ({
    id: fields.number('id'),
    uuid: fields.text('uuid'),
    name: fields.text('name'),
    availabilityZone: fields.optionalText('availability_zone'),
    hosts: fields.texts('hosts'),
    metadata: fields.textMap('metadata'),
  }));
}
