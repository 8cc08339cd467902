import type { Logger } from '#libs/domain';
import { type Cloud, type CloudCallOptions, OpenStackError } from '#libs/openstack';

export interface PatienceOptions {
  /** Sent with every call, so that the cloud's logs can be joined with ours. */
  requestId: string;
  /** Ends the patience: time budget over, lease lost, process ending. */
  signal: AbortSignal;
  sleep(ms: number): Promise<void>;
  logger: Logger;
}

const firstPauseMs = 500;
const longestPauseMs = 15_000;

/**
 * The same cloud, whose reads are repeated while it is overloaded or unavailable, until the signal fires. Changes are sent
 * once, and never broken off half way: who asked for them decides what a missing answer means.
 */
export function createPatientCloud(cloud: Cloud, options: PatienceOptions): Cloud {
  const { identity, compute, placement, volume, baremetal } = cloud;
  const change: CloudCallOptions = { requestId: options.requestId };
  const look: CloudCallOptions = { requestId: options.requestId, signal: options.signal };

  async function read<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    for (let tries = 0; ; tries++) {
      try {
        return await ask();
      } catch (error) {
        options.signal.throwIfAborted();
        if (!(error instanceof OpenStackError) || error.category !== 'retryable') throw error;
        options.logger.warn(
          { request: error.request, status: error.status, tries },
          'cloud is unavailable, asking again',
        );
      }
      await options.sleep(Math.min(firstPauseMs * 2 ** tries, longestPauseMs));
    }
  }

  return {
    ...cloud,
    identity: { ...identity, requester: () => read(() => identity.requester(look)) },
    compute: {
      listHypervisors: () => read(() => compute.listHypervisors(look)),
      findHypervisorByServiceHost: (host) => read(() => compute.findHypervisorByServiceHost(host, look)),
      getHypervisor: (uuid) => read(() => compute.getHypervisor(uuid, look)),
      listServers: (filter) => read(() => compute.listServers(filter, look)),
      getServer: (uuid) => read(() => compute.getServer(uuid, look)),
      listServices: () => read(() => compute.listServices(look)),
      listAggregates: () => read(() => compute.listAggregates(look)),
      listServerGroups: () => read(() => compute.listServerGroups(look)),
      listFlavors: () => read(() => compute.listFlavors(look)),
      getFlavor: (id) => read(() => compute.getFlavor(id, look)),
      listMigrations: (filter) => read(() => compute.listMigrations(filter, look)),
      listServerMigrations: (uuid) => read(() => compute.listServerMigrations(uuid, look)),
      listInstanceActions: (uuid) => read(() => compute.listInstanceActions(uuid, look)),
      getInstanceActionFault: (uuid, request) => read(() => compute.getInstanceActionFault(uuid, request, look)),
      liveMigrate: (uuid, host) => compute.liveMigrate(uuid, host, change),
      coldMigrate: (uuid, host) => compute.coldMigrate(uuid, host, change),
      evacuate: (uuid, host) => compute.evacuate(uuid, host, change),
      confirmResize: (uuid) => compute.confirmResize(uuid, change),
      revertResize: (uuid) => compute.revertResize(uuid, change),
      abortLiveMigration: (uuid, id) => compute.abortLiveMigration(uuid, id, change),
      resizeServer: (uuid, flavorId) => compute.resizeServer(uuid, flavorId, change),
      stopServer: (uuid) => compute.stopServer(uuid, change),
      startServer: (uuid) => compute.startServer(uuid, change),
      setServiceStatus: (id, status, reason) => compute.setServiceStatus(id, status, reason, change),
    },
    placement: {
      listResourceProviders: () => read(() => placement.listResourceProviders(look)),
      listSharingProviders: () => read(() => placement.listSharingProviders(look)),
      getInventories: (uuid) => read(() => placement.getInventories(uuid, look)),
      getAllocations: (uuid) => read(() => placement.getAllocations(uuid, look)),
      getTraits: (uuid) => read(() => placement.getTraits(uuid, look)),
    },
    volume: {
      listVolumes: () => read(() => volume.listVolumes(look)),
      getVolume: (uuid) => read(() => volume.getVolume(uuid, look)),
      getVolumeByName: (name) => read(() => volume.getVolumeByName(name, look)),
      listSnapshots: () => read(() => volume.listSnapshots(look)),
      listPools: () => read(() => volume.listPools(look)),
      listTypes: () => read(() => volume.listTypes(look)),
      listServices: () => read(() => volume.listServices(look)),
      migrateVolume: (uuid, pool) => volume.migrateVolume(uuid, pool, change),
      retypeVolume: (uuid, typeName) => volume.retypeVolume(uuid, typeName, change),
    },
    baremetal: {
      listNodes: () => read(() => baremetal.listNodes(look)),
      getNode: (id) => read(() => baremetal.getNode(id, look)),
      setPowerState: (id, target) => baremetal.setPowerState(id, target, change),
    },
  };
}
