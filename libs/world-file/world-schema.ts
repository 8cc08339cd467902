import { mostSteps, percentSteps } from './recorded-load.ts';

const name = { type: 'string', minLength: 1, maxLength: 255 } as const;
const uuid = { type: 'string', pattern: '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const positive = { type: 'integer', minimum: 1 } as const;
const ratio = { type: 'number', exclusiveMinimum: 0, maximum: 1000 } as const;
const percent = { type: 'number', minimum: 0, maximum: 100 } as const;
const unit = { type: 'number', minimum: 0, maximum: 1 } as const;
const texts = { type: 'object', additionalProperties: { type: 'string' } } as const;
const names = { type: 'array', items: name } as const;

function record(required: string[], properties: Record<string, object>): object {
  return { type: 'object', required, properties, additionalProperties: false };
}

const host = record(['hostname', 'vcpus', 'memory_mb', 'disk_gb'], {
  hostname: name,
  uuid,
  vcpus: whole,
  memory_mb: positive,
  disk_gb: whole,
  pcpus: whole,
  vgpus: whole,
  cpu_allocation_ratio: ratio,
  ram_allocation_ratio: ratio,
  disk_allocation_ratio: ratio,
  reserved_vcpus: whole,
  reserved_memory_mb: whole,
  reserved_disk_gb: whole,
  zone: name,
  traits: { type: 'array', items: { type: 'string', pattern: '^[A-Z0-9_]{1,255}$' } },
  status: { enum: ['enabled', 'disabled'] },
  disabled_reason: { type: 'string', maxLength: 255 },
  state: { enum: ['up', 'down'] },
  forced_down: { type: 'boolean' },
  cell: name,
  host_ip: { type: 'string', format: 'ipv4' },
  hypervisor_version: positive,
  cpu_arch: name,
  cpu_model: name,
  cpu_address_bits: positive,
  migration_bandwidth_mib: { type: 'number', exclusiveMinimum: 0 },
  units: {
    type: 'object',
    propertyNames: { enum: ['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB'] },
    additionalProperties: record([], { min_unit: positive, max_unit: positive, step_size: positive }),
  },
  foreign_allocations: record([], { VCPU: positive, PCPU: positive, MEMORY_MB: positive, DISK_GB: positive }),
});

const flavor = record(['name', 'vcpus', 'ram_mb', 'disk_gb'], {
  name,
  id: name,
  vcpus: positive,
  ram_mb: positive,
  disk_gb: whole,
  ephemeral_gb: whole,
  swap_mb: whole,
  extra_specs: texts,
});

const load = record(['kind', 'base'], {
  kind: { enum: ['idle', 'steady', 'diurnal', 'bursty'] },
  base: percent,
  amplitude: percent,
  phase: unit,
  noise: percent,
  burst_probability: unit,
  burst_cpu: percent,
  memory: unit,
});

/** Kinds of network devices of Neutron's ports. */
export const vnicTypes: readonly string[] = [
  ...['normal', 'direct', 'direct-physical', 'macvtap', 'vdpa', 'remote-managed', 'virtio-forwarder'],
  ...['accelerator-direct', 'accelerator-direct-physical', 'baremetal', 'smart-nic'],
];

/** Parts of a cloud that a recording may lack because their service did not respond. */
export const recordedParts = ['block storage', 'bare metal', 'network ports', 'shares'] as const;

const port = record([], {
  vnic_type: { enum: [...vnicTypes] },
  minimum_kbps: positive,
});

const server = record(['name', 'flavor', 'host'], {
  name,
  uuid,
  flavor: name,
  host: name,
  project: name,
  state: { enum: ['active', 'stopped', 'paused', 'suspended', 'error'] },
  power_state: { enum: [0, 1, 3, 4, 6, 7] },
  load,
  metadata: texts,
  locked: { type: 'boolean' },
  group: name,
  volumes: names,
  boot_from_volume: { type: 'boolean' },
  image_properties: texts,
  pinned_zone: name,
  ports: { type: 'array', items: port },
  shares: names,
  scheduler_hints: {
    type: 'object',
    additionalProperties: { anyOf: [name, { type: 'array', minItems: 1, items: name }] },
  },
  created: { type: 'string', format: 'date-time' },
});

const group = record(['name', 'policy'], {
  name,
  uuid,
  policy: { enum: ['affinity', 'anti-affinity', 'soft-affinity', 'soft-anti-affinity'] },
  project: name,
  max_server_per_host: positive,
});

const pool = record(['name', 'total_gb'], {
  name: { type: 'string', pattern: '^[^@#]+@[^@#]+#[^@#]+$' },
  total_gb: whole,
  free_gb: whole,
  backend_name: name,
  max_over_subscription_ratio: ratio,
  state: { enum: ['up', 'down'] },
  status: { enum: ['enabled', 'disabled'] },
  host_bound: { type: 'boolean' },
});

/** JSON schema (draft 7) of the world file, version 1. */
export const worldSchema: object = record(['format', 'version', 'name', 'hosts', 'flavors', 'servers'], {
  format: { const: 'vigil-simulator-world' },
  version: { const: 1 },
  name,
  description: { type: 'string' },
  recording: record(['start', 'step_seconds', 'steps', 'anonymised'], {
    start: { type: 'string', format: 'date-time' },
    step_seconds: { type: 'integer', minimum: 1, maximum: 86_400 },
    steps: { type: 'integer', minimum: 0, maximum: mostSteps },
    anonymised: { type: 'boolean' },
    percent_step: { enum: [...percentSteps] },
    unread: { type: 'array', items: { enum: [...recordedParts] } },
  }),
  licence: { type: 'string' },
  attribution: { type: 'string' },
  region: name,
  storage: { enum: ['local', 'shared'] },
  hosts: { type: 'array', minItems: 1, items: host },
  flavors: { type: 'array', items: flavor },
  servers: { type: 'array', items: server },
  aggregates: { type: 'array', items: record(['name', 'hosts'], { name, hosts: names, metadata: texts }) },
  server_groups: { type: 'array', items: group },
  volumes: {
    type: 'array',
    items: record(['name', 'size_gb'], {
      name,
      uuid,
      size_gb: positive,
      type: name,
      pool: name,
      project: name,
      multiattach: { type: 'boolean' },
      group: name,
      replicated: { type: 'boolean' },
      encrypted: { type: 'boolean' },
    }),
  },
  volume_types: { type: 'array', items: record(['name'], { name, extra_specs: texts }) },
  pools: { type: 'array', items: pool },
  baremetal_nodes: {
    type: 'array',
    items: record(['name'], {
      name,
      uuid,
      host: name,
      power_state: { enum: ['power on', 'power off'] },
      maintenance_reason: { type: 'string', maxLength: 255 },
    }),
  },
});
