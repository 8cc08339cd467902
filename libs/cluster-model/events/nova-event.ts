/** A versioned notification of Nova without its envelopes. */
export interface NovaEvent {
  /** Such as `instance.update`. */
  eventType: string;
  /** Fields of the payload object, by Nova's names. */
  payload: Record<string, unknown>;
}

type Fields = Record<string, unknown>;

/** The fields of a versioned object (`nova_object.data`). Null for another value. */
export function objectFields(value: unknown): Fields | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const data = (value as Fields)['nova_object.data'];
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? (data as Fields) : null;
}

/** Reads a notification (the content of `oslo.message`). Null when it is not a versioned one. */
export function readNovaEvent(message: Fields): NovaEvent | null {
  const payload = objectFields(message.payload);
  return typeof message.event_type === 'string' && payload ? { eventType: message.event_type, payload } : null;
}

/** The content of an instance event, in the model's terms. */
export interface InstanceFacts {
  uuid: string;
  /** Service host. Null without one. */
  host: string | null;
  state: string;
  taskState: string | null;
  /** Whether the guest runs or is paused. Null when the payload lacks it. */
  hasGuest: boolean | null;
  vcpus: number;
  /** MiB. */
  memory: number;
  /** GiB of the host's disk. */
  disk: number;
  bootedFromVolume: boolean;
  /** Null when the payload is too old to have it. */
  locked: boolean | null;
  name: string;
  projectId: string;
  metadata: Record<string, string>;
  extraSpecs: Record<string, string>;
  /** Empty when it is not reported. */
  flavorName: string;
  zone: string;
  created: string;
}

/** Nova's names for power states of an existing guest. */
const guestStates = new Set(['running', 'paused']);

/** Reads the payload of an instance event. Null when a field that the model needs is missing. */
export function instanceFacts(payload: Fields): InstanceFacts | null {
  const flavor = objectFields(payload.flavor);
  const { uuid, state } = payload;
  if (typeof uuid !== 'string' || typeof state !== 'string' || flavor === null) return null;
  const bootedFromVolume = !payload.image_uuid;
  const disk = (bootedFromVolume ? 0 : amount(flavor.root_gb)) + amount(flavor.ephemeral_gb);
  return {
    uuid,
    host: textOr(payload.host, null),
    state,
    taskState: textOr(payload.task_state, null),
    hasGuest: typeof payload.power_state === 'string' ? guestStates.has(payload.power_state) : null,
    vcpus: amount(flavor.vcpus),
    memory: amount(flavor.memory_mb),
    disk: disk + Math.ceil(amount(flavor.swap) / 1024),
    bootedFromVolume,
    locked: typeof payload.locked === 'boolean' ? payload.locked : null,
    name: textOr(payload.display_name, uuid),
    projectId: textOr(payload.tenant_id, ''),
    metadata: texts(payload.metadata),
    extraSpecs: texts(flavor.extra_specs),
    flavorName: textOr(flavor.name, ''),
    zone: textOr(payload.availability_zone, ''),
    created: textOr(payload.created_at, ''),
  };
}

function textOr<Default>(value: unknown, otherwise: Default): string | Default {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}

function amount(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}

function texts(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).map(([key, text]) => [key, String(text)]));
}
