import type { StoragePool, Volume } from '#libs/openstack';
import type { CrookedWorld } from '#libs/random-worlds';

/** Cinder's API and default filters, on the rows of a world, which moves change. */
export interface CinderJudge {
  /** Reasons why Cinder would refuse to start the move now. Empty when it would not. */
  refusals(volume: string, input: { pool?: string; type?: string }): string[];
  /** Starts the move without checks. It takes room in both pools until its end. */
  begin(volume: string, input: { pool?: string; type?: string }): { end(): void };
}

const backendOf = (pool: string) => pool.split('#')[0] as string;

function serves(pool: StoragePool, specs: Record<string, string>): boolean {
  const backend = specs.volume_backend_name;
  return backend === undefined || backend === pool.volumeBackendName;
}

/** CapacityFilter. */
function hasRoom(pool: StoragePool, sizeGb: number): boolean {
  const total = pool.totalCapacityGb ?? 0;
  const reserved = Math.floor((total * Number(pool.capabilities.reserved_percentage ?? 0)) / 100);
  const free = (pool.freeCapacityGb ?? 0) - reserved;
  if (pool.capabilities.thin_provisioning_support !== 'True') return sizeGb <= free;
  const ratio = Number(pool.capabilities.max_over_subscription_ratio);
  if (((pool.provisionedCapacityGb ?? 0) + sizeGb) / total > ratio) return false;
  return free * ratio >= sizeGb;
}

/** Judges moves of volumes on a world and changes the world. */
export function createCinderJudge({ storage, servers }: CrookedWorld): CinderJudge {
  const volumes = new Map(storage.volumes.map((volume) => [volume.uuid, volume]));
  const withSnapshots = new Set(storage.snapshots.map(({ volumeId }) => volumeId));
  const underWay = new Set<string>();
  const specsOf = (type: string | null) => storage.types.find(({ name }) => name === type)?.extraSpecs ?? {};

  function isServing(pool: StoragePool): boolean {
    const service = storage.services.find(({ host }) => host === backendOf(pool.name));
    return service?.state === 'up' && service.status === 'enabled';
  }

  function stateRefusals(volume: Volume): string[] {
    const attached = volume.attachments.map(({ serverId }) => servers.find(({ uuid }) => uuid === serverId));
    const isFree = volume.migrationStatus === null || ['success', 'error', 'deleting'].includes(volume.migrationStatus);
    return [
      ...(['available', 'in-use'].includes(volume.status) ? [] : [`status ${volume.status}`]),
      ...(isFree && !underWay.has(volume.uuid) ? [] : ['it is migrating']),
      ...(withSnapshots.has(volume.uuid) ? ['snapshots'] : []),
      ...(volume.attachments.length > 1 ? ['several attachments'] : []),
      // Nova swaps the disk below an existing guest.
      ...attached.flatMap((server) =>
        server === undefined || (['active', 'paused'].includes(server.vmState) && server.taskState === null)
          ? []
          : [`its server is ${server.vmState} ${server.taskState ?? ''}`],
      ),
    ];
  }

  function poolsFor(volume: Volume, type: string | null): StoragePool[] {
    const fits = (pool: StoragePool) => serves(pool, specsOf(type)) && isServing(pool) && hasRoom(pool, volume.sizeGb);
    return storage.pools.filter((pool) => pool.name !== volume.host && fits(pool));
  }

  function retypeRefusals(volume: Volume, type: string): string[] {
    if (volume.volumeType === type) return ['same type'];
    const own = storage.pools.find(({ name }) => name === volume.host);
    const stays = own !== undefined && serves(own, specsOf(type));
    return stays || poolsFor(volume, type).length > 0 ? [] : ['no valid host for the type'];
  }

  return {
    refusals(uuid, { pool: name, type }) {
      const volume = volumes.get(uuid);
      if (volume === undefined) return ['unknown volume'];
      const reasons = stateRefusals(volume);
      if (type !== undefined) return [...reasons, ...retypeRefusals(volume, type)];
      const pool = storage.pools.find((candidate) => candidate.name === name);
      if (pool === undefined) return [...reasons, 'unknown pool'];
      return [
        ...reasons,
        ...(volume.host === name ? ['same pool'] : []),
        ...(isServing(pool) ? [] : ['backend is down or disabled']),
        ...(serves(pool, specsOf(volume.volumeType)) ? [] : ['type']),
        ...(hasRoom(pool, volume.sizeGb) ? [] : ['capacity']),
      ];
    },
    begin(uuid, { pool, type }) {
      const volume = volumes.get(uuid) as Volume;
      const own = storage.pools.find(({ name }) => name === volume.host);
      const stays = type !== undefined && own !== undefined && serves(own, specsOf(type));
      const to = stays ? own : (storage.pools.find(({ name }) => name === pool) ?? poolsFor(volume, type ?? null)[0]);
      const take = (target: StoragePool | undefined, gb: number) => {
        if (target === undefined) return;
        target.freeCapacityGb = (target.freeCapacityGb ?? 0) - gb;
        target.provisionedCapacityGb = (target.provisionedCapacityGb ?? 0) + gb;
      };
      if (to !== own) take(to, volume.sizeGb);
      underWay.add(uuid);
      return {
        end() {
          if (to !== own) take(own, -volume.sizeGb);
          underWay.delete(uuid);
          Object.assign(volume, { host: to?.name ?? volume.host, volumeType: type ?? volume.volumeType });
        },
      };
    },
  };
}
