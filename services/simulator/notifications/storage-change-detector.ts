import type { CloudState, SimulatedPool, SimulatedVolume } from '../cloud/entities.ts';
import type { SimulatedEvent } from './change-detector.ts';

interface VolumeNote {
  volume: SimulatedVolume;
  sizeGb: number;
  type: string | null;
  server: string | null;
}

/**
 * A function that answers what has changed in block storage since it was called last, as Cinder tells it: plain payloads, and
 * not a word when a migrated volume has arrived. Shadows of volumes that are being migrated are not told.
 */
export function createStorageChangeDetector(state: CloudState): () => SimulatedEvent[] {
  let volumes = describeVolumes(state);
  let pools = describePools(state);
  return () => {
    const [volumesNow, poolsNow] = [describeVolumes(state), describePools(state)];
    const events = [
      ...[...volumesNow].flatMap(([uuid, note]) => volumeEvents(state, volumes.get(uuid), note)),
      ...[...volumes].flatMap(([uuid, { volume }]) =>
        volumesNow.has(uuid) ? [] : [volumeEvent(state, 'volume.delete.end', volume, 'deleting')],
      ),
      ...[...poolsNow].flatMap(([name, { text, event }]) => (pools.get(name)?.text === text ? [] : [event])),
    ];
    volumes = volumesNow;
    pools = poolsNow;
    return events;
  };
}

function describeVolumes(state: CloudState): Map<string, VolumeNote> {
  const own = [...state.volumes.values()].filter(({ migrationStatus, busy }) => !isShadow(migrationStatus, busy));
  return new Map(
    own.map((volume) => {
      const { sizeGb, type, attachedTo } = volume;
      return [volume.uuid, { volume, sizeGb, type, server: attachedTo?.uuid ?? null }];
    }),
  );
}

function isShadow(migrationStatus: string | null, busy: SimulatedVolume['busy']): boolean {
  return busy === 'deleting' || (migrationStatus ?? '').startsWith('target:');
}

function volumeEvents(state: CloudState, before: VolumeNote | undefined, now: VolumeNote): SimulatedEvent[] {
  const tell = (eventType: string) => volumeEvent(state, eventType, now.volume);
  if (before === undefined) return [tell('volume.create.end')];
  const events: SimulatedEvent[] = [];
  if (before.sizeGb !== now.sizeGb) events.push(tell('volume.resize.end'));
  if (before.type !== now.type) events.push(tell('volume.retype'));
  if (before.server !== now.server) events.push(tell(now.server === null ? 'volume.detach.end' : 'volume.attach.end'));
  return events;
}

function volumeEvent(
  state: CloudState,
  eventType: string,
  volume: SimulatedVolume,
  status: string = volume.busy ?? (volume.attachedTo === null ? 'available' : 'in-use'),
): SimulatedEvent {
  const { attachedTo } = volume;
  return {
    eventType,
    publisher: `volume.${volume.pool.split('#', 1)[0]}`,
    payload: {
      volume_id: volume.uuid,
      display_name: volume.name,
      size: volume.sizeGb,
      status,
      host: volume.pool,
      volume_type: state.volumeTypes.find(({ name }) => name === volume.type)?.id ?? null,
      tenant_id: volume.projectId,
      availability_zone: 'nova',
      created_at: new Date(volume.createdAt).toISOString(),
      snapshot_id: null,
      metadata: [],
      volume_attachment: attachedTo === null ? [] : [{ volume_id: volume.uuid, instance_uuid: attachedTo.uuid }],
    },
  };
}

function describePools(state: CloudState): Map<string, { text: string; event: SimulatedEvent }> {
  const allocated = new Map<string, number>();
  for (const { pool, sizeGb } of state.volumes.values()) allocated.set(pool, (allocated.get(pool) ?? 0) + sizeGb);
  return new Map(
    state.pools.map((pool) => {
      const payload = poolPayload(pool, allocated.get(pool.name) ?? 0);
      const event = { eventType: 'capacity.pool', publisher: `capacity.${pool.name}`, payload };
      return [pool.name, { text: JSON.stringify(payload), event }];
    }),
  );
}

function poolPayload(pool: SimulatedPool, allocated: number): object {
  const { totalGb, freeGb, maxOverSubscriptionRatio } = pool;
  return {
    type: 'pool',
    name_to_id: pool.name,
    total: totalGb,
    free: freeGb,
    allocated,
    provisioned: allocated,
    virtual_free: totalGb * maxOverSubscriptionRatio - allocated,
  };
}
