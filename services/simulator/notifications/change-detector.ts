import type { CloudState, SimulatedHost, SimulatedServer } from '../cloud/entities.ts';

/** A notification without its envelope. */
export interface SimulatedEvent {
  eventType: string;
  publisher: string;
  /** A versioned object, for services that send them. */
  payload: object;
}

/** Returns the changes since its last call. The first call compares with the cloud at its creation. */
export function createChangeDetector(state: CloudState): () => SimulatedEvent[] {
  let servers = describeServers(state);
  let hosts = describeHosts(state);
  return () => {
    const [serversNow, hostsNow] = [describeServers(state), describeHosts(state)];
    const events = [
      ...[...hostsNow].flatMap(([name, host]) => (hosts.get(name)?.text === host.text ? [] : [host.event])),
      ...[...serversNow].flatMap(([uuid, server]) => serverEvents(servers.get(uuid), server)),
      ...[...servers].flatMap(([uuid, server]) => (serversNow.has(uuid) ? [] : [deleted(server)])),
    ];
    servers = serversNow;
    hosts = hostsNow;
    return events;
  };
}

interface ServerNote {
  text: string;
  host: string;
  vmState: string;
  payload: Record<string, unknown>;
}

function describeServers(state: CloudState): Map<string, ServerNote> {
  const notes = [...state.servers.values()].map((server): [string, ServerNote] => {
    const payload = serverPayload(server);
    return [server.uuid, { text: JSON.stringify(payload), host: server.host.name, vmState: server.vmState, payload }];
  });
  return new Map(notes);
}

/** Nova's names of power states in notifications, by number. */
const powerNames: Readonly<Record<number, string>> = {
  0: 'pending',
  1: 'running',
  3: 'paused',
  4: 'shutdown',
  6: 'crashed',
  7: 'suspended',
};

function serverPayload(server: SimulatedServer): Record<string, unknown> {
  const { flavor, host } = server;
  return {
    uuid: server.uuid,
    display_name: server.name,
    host: host.name,
    node: host.name,
    state: server.vmState,
    power_state: powerNames[server.powerState],
    task_state: server.taskState,
    tenant_id: server.projectId,
    user_id: server.userId,
    image_uuid: server.bootFromVolume ? '' : server.uuid,
    locked: server.locked,
    metadata: server.metadata,
    availability_zone: host.zone,
    created_at: new Date(server.createdAt).toISOString(),
    flavor: versioned('FlavorPayload', {
      flavorid: flavor.id,
      name: flavor.name,
      vcpus: flavor.vcpus,
      memory_mb: flavor.ramMb,
      root_gb: flavor.diskGb,
      ephemeral_gb: flavor.ephemeralGb,
      swap: flavor.swapMb,
      extra_specs: flavor.extraSpecs,
    }),
  };
}

function serverEvents(before: ServerNote | undefined, now: ServerNote): SimulatedEvent[] {
  if (before?.text === now.text) return [];
  const update = serverEvent('instance.update', now);
  if (before === undefined) return [update];
  if (before.vmState === 'building' && now.vmState !== 'building') return [serverEvent('instance.create.end', now)];
  if (before.host === now.host) return [update];
  if (String(before.payload.task_state).startsWith('rebuild'))
    return [update, serverEvent('instance.rebuild.end', now)];
  const isLive = now.vmState === 'active' || now.vmState === 'paused';
  return [update, serverEvent(isLive ? 'instance.live_migration_post_dest.end' : 'instance.resize_finish.end', now)];
}

function deleted(server: ServerNote): SimulatedEvent {
  return serverEvent('instance.delete.end', {
    ...server,
    payload: { ...server.payload, state: 'deleted', task_state: null },
  });
}

function serverEvent(eventType: string, { host, payload }: ServerNote): SimulatedEvent {
  return { eventType, publisher: `nova-compute:${host}`, payload: versioned('InstanceUpdatePayload', payload) };
}

function describeHosts(state: CloudState): Map<string, { text: string; event: SimulatedEvent }> {
  const notes = [...state.hosts.values()].map((host): [string, { text: string; event: SimulatedEvent }] => {
    const payload = servicePayload(host);
    const event = {
      eventType: 'service.update',
      publisher: `nova-compute:${host.name}`,
      payload: versioned('ServiceStatusPayload', payload),
    };
    return [host.name, { text: JSON.stringify(payload), event }];
  });
  return new Map(notes);
}

function servicePayload(host: SimulatedHost): Record<string, unknown> {
  return {
    uuid: host.serviceUuid,
    host: host.name,
    binary: 'nova-compute',
    topic: 'compute',
    disabled: host.status === 'disabled',
    disabled_reason: host.disabledReason,
    forced_down: host.forcedDown,
    availability_zone: host.zone,
  };
}

function versioned(name: string, data: Record<string, unknown>): object {
  return {
    'nova_object.name': name,
    'nova_object.namespace': 'nova',
    'nova_object.version': '1.8',
    'nova_object.data': data,
  };
}
