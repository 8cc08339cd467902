import type { CloudState, SimulatedPool, SimulatedVolume } from '../cloud/entities.ts';
import type { SimulatedEvent } from './change-detector.ts';

interface VolumeNote {
  volume: SimulatedVolume;
  sizeGb: number;
  type: string | null;
  pool: string;
  server: string | null;
  isRetyping: boolean;
  /** During the copy: the temporary volume that receives the data. */
  target: SimulatedVolume | null;
  /** The server uses the temporary volume, which then takes the name of this one. */
  isCompleting: boolean;
}

/**
 * Creates a function that returns the changes of block storage since its last call, as plain payloads of Cinder.
 * Reports nothing for the migration of a detached volume. For an attached volume, reports that its server got the
 * temporary volume and lost the real one, but neither creation, arrival nor deletion. For a change of type, reports
 * its start.
 */
export function createStorageChangeDetector(state: CloudState): () => SimulatedEvent[] {
  let volumes = describeVolumes(state);
  let pools = describePools(state);
  return () => {
    const [volumesNow, poolsNow] = [describeVolumes(state), describePools(state)];
    const events = [
      ...[...volumesNow].flatMap(([uuid, note]) => volumeEvents(state, volumes.get(uuid), note)),
      ...[...volumes].flatMap(([uuid, { volume }]) =>
        volumesNow.has(uuid) ? [] : [volumeEvent(state, 'volume.delete.end', volume, { status: 'deleting' })],
      ),
      ...[...poolsNow].flatMap(([name, { text, event }]) => (pools.get(name)?.text === text ? [] : [event])),
    ];
    volumes = volumesNow;
    pools = poolsNow;
    return events;
  };
}

const targetPrefix = 'target:';

function describeVolumes(state: CloudState): Map<string, VolumeNote> {
  const all = [...state.volumes.values()];
  const targets = new Map(
    all.flatMap((volume) =>
      volume.migrationStatus?.startsWith(targetPrefix)
        ? [[volume.migrationStatus.slice(targetPrefix.length), volume]]
        : [],
    ),
  );
  const own = all.filter(({ migrationStatus, busy }) => !isShadow(migrationStatus, busy));
  return new Map(
    own.map((volume) => {
      const { sizeGb, type, pool, attachedTo } = volume;
      const note: VolumeNote = {
        volume,
        sizeGb,
        type,
        pool,
        server: attachedTo?.uuid ?? null,
        isRetyping: volume.busy === 'retyping',
        target: targets.get(volume.uuid) ?? null,
        isCompleting: volume.migrationStatus === 'completing',
      };
      return [volume.uuid, note];
    }),
  );
}

function isShadow(migrationStatus: string | null, busy: SimulatedVolume['busy']): boolean {
  return busy === 'deleting' || (migrationStatus ?? '').startsWith(targetPrefix);
}

function volumeEvents(state: CloudState, before: VolumeNote | undefined, now: VolumeNote): SimulatedEvent[] {
  const report = (eventType: string) => volumeEvent(state, eventType, now.volume);
  if (before === undefined) return [report('volume.create.end')];
  const events: SimulatedEvent[] = [];
  if (before.sizeGb !== now.sizeGb) events.push(report('volume.resize.end'));
  const hasStarted = now.isRetyping || before.type !== now.type;
  if (hasStarted && !before.isRetyping) events.push(report('volume.retype'));
  if (before.server !== now.server)
    events.push(report(now.server === null ? 'volume.detach.end' : 'volume.attach.end'));
  else if (now.server !== null && hasChangedOver(before, now)) events.push(...changeOverEvents(state, before, now));
  return events;
}

/** Also if the whole change ended between two calls. */
function hasChangedOver(before: VolumeNote, now: VolumeNote): boolean {
  return !before.isCompleting && (now.isCompleting || now.pool !== before.pool);
}

function changeOverEvents(state: CloudState, before: VolumeNote, now: VolumeNote): SimulatedEvent[] {
  const temporary = now.target ?? before.target;
  const server = now.volume.attachedTo;
  const [from, to] = [before.pool, now.target?.pool ?? now.pool];
  const status = now.volume.busy ?? 'in-use';
  return [
    ...(temporary === null
      ? []
      : [volumeEvent(state, 'volume.attach.end', temporary, { status: 'in-use', pool: to, attachedTo: server })]),
    volumeEvent(state, 'volume.detach.end', now.volume, { status, pool: from, attachedTo: null }),
  ];
}

function volumeEvent(
  state: CloudState,
  eventType: string,
  volume: SimulatedVolume,
  as: Partial<Pick<SimulatedVolume, 'pool' | 'attachedTo'>> & { status?: string } = {},
): SimulatedEvent {
  const { pool, attachedTo } = { ...volume, ...as };
  return {
    eventType,
    publisher: `volume.${pool.split('#', 1)[0]}`,
    payload: {
      volume_id: volume.uuid,
      display_name: volume.name,
      size: volume.sizeGb,
      status: as.status ?? volume.busy ?? (attachedTo === null ? 'available' : 'in-use'),
      host: pool,
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
  return new Map(
    state.pools.map((pool) => {
      const payload = poolPayload(pool);
      const event = { eventType: 'capacity.pool', publisher: `capacity.${pool.name}`, payload };
      return [pool.name, { text: JSON.stringify(payload), event }];
    }),
  );
}

function poolPayload({ name, totalGb, maxOverSubscriptionRatio, report }: SimulatedPool): object {
  const { freeGb, allocatedGb, provisionedGb } = report;
  return {
    type: 'pool',
    name_to_id: name,
    total: totalGb,
    free: freeGb,
    allocated: allocatedGb,
    provisioned: provisionedGb,
    virtual_free: totalGb * maxOverSubscriptionRatio - provisionedGb,
  };
}
