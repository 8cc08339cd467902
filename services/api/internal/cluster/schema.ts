import { Type } from 'typebox';
import { foundKinds } from '#libs/messaging';
import { component, nullableText, words } from '../../openapi/shared-schemas.ts';

const closed = { additionalProperties: false };
const load = (description: string) => Type.Unsafe<number | null>({ type: ['number', 'null'], description });
const moment = (description: string) => Type.String({ format: 'date-time', description });

const resourceUse = Type.Object(
  {
    total: Type.Number({ description: 'What is there.' }),
    capacity: Type.Number({ description: '(total − reserved) × overcommit.' }),
    used: Type.Number({ description: 'Allocated in Placement; may exceed the capacity.' }),
  },
  { $id: 'ResourceUse', ...closed },
);

const loadMeasurement = Type.Object(
  {
    at: moment('End of the window.'),
    period_seconds: Type.Integer({ description: 'Length of the window over which loads are means.' }),
    sources: Type.Array(Type.String(), { description: 'Data sources that served.' }),
    error: nullableText('Why loads are missing; null when every source could be asked.'),
  },
  { $id: 'LoadMeasurement', ...closed },
);

const hostFields = {
  uuid: Type.String({ description: 'Id of the hypervisor.' }),
  hostname: Type.String({ description: 'Host of the compute service.' }),
  state: words(['up', 'down'], 'State of the compute service.'),
  status: words(['enabled', 'disabled'], 'Status of the compute service.'),
  disabled_reason: nullableText('Why it is disabled.'),
  zone: Type.String({ description: 'Availability zone.' }),
  aggregates: Type.Array(Type.Integer(), { description: 'Ids of its aggregates.' }),
  instances: Type.Integer({ description: 'Instances on it.' }),
  vcpus: component('ResourceUse'),
  memory: component('ResourceUse'),
  disk: component('ResourceUse'),
  cpu_load: load('Measured CPU use, percent of the host; null when not measured.'),
  memory_load: load('Measured memory use, percent of the host; null when not measured.'),
};

const modelAge = {
  taken_at: moment('When the model was collected.'),
  age_seconds: Type.Number({ description: 'How old the model was when this was answered.' }),
};

const hostSummary = Type.Object(hostFields, {
  $id: 'HostSummary',
  description: 'Memory in MiB, disk in GiB.',
  ...closed,
});

const clusterTotals = Type.Object(
  {
    hosts: Type.Integer(),
    hosts_up: Type.Integer(),
    hosts_enabled: Type.Integer(),
    hosts_empty: Type.Integer({ description: 'Hosts without instances.' }),
    instances: Type.Integer(),
    vcpus: component('ResourceUse'),
    memory: component('ResourceUse'),
    disk: component('ResourceUse'),
    cpu_load: Type.Unsafe<object | null>({
      type: ['object', 'null'],
      description: 'Over the measured hosts, percent; `deviation` is the standard deviation.',
      required: ['mean', 'deviation', 'min', 'max', 'hosts'],
      properties: {
        mean: { type: 'number' },
        deviation: { type: 'number' },
        min: { type: 'number' },
        max: { type: 'number' },
        hosts: { type: 'integer', description: 'Measured hosts.' },
      },
      additionalProperties: false,
    }),
  },
  { $id: 'ClusterTotals', description: 'Resources: sums over hosts that are up and enabled.', ...closed },
);

const clusterSummary = Type.Object(
  {
    ...modelAge,
    complete: Type.Boolean({ description: 'Whether every part of the cloud could be read.' }),
    gaps: Type.Array(Type.String(), { description: 'What could not be read.' }),
    load: component('LoadMeasurement'),
    totals: component('ClusterTotals'),
    aggregates: Type.Array(
      Type.Object({ id: Type.Integer(), name: Type.String(), zone: nullableText('Zone that it makes.') }, closed),
    ),
    hosts: Type.Array(component('HostSummary'), { description: 'By hostname.' }),
  },
  { $id: 'ClusterSummary', ...closed },
);

const instanceSummary = Type.Object(
  {
    uuid: Type.String(),
    name: Type.String(),
    project_id: Type.String(),
    state: Type.String({ description: 'vm_state, such as `active`.' }),
    vcpus: Type.Number(),
    memory: Type.Number({ description: 'MiB.' }),
    disk: Type.Number({ description: 'GiB of the host’s disk.' }),
    locked: Type.Boolean(),
    busy: Type.Boolean({ description: 'A task runs on it, such as a migration.' }),
    server_group: nullableText('Uuid of its server group.'),
    created: Type.String(),
    cpu_load: load('Measured CPU use, percent of its virtual CPUs; null when not measured.'),
  },
  { $id: 'InstanceSummary', ...closed },
);

const clusterInstance = Type.Object(
  {
    ...modelAge,
    load: component('LoadMeasurement'),
    instance: Type.Object(
      {
        ...instanceSummary.properties,
        hostname: nullableText('Host of the compute service; null while it is on none.'),
        flavor: nullableText('Name that its flavor had when it was made or resized.'),
        pinned_zone: nullableText('Zone that it must stay in; null when it is free.'),
        group_policy: nullableText('Policy of its server group.'),
        rules: Type.Array(Type.String(), { description: 'Names of the enabled placement rules that are about it.' }),
      },
      closed,
    ),
  },
  { $id: 'ClusterInstance', ...closed },
);

const clusterFound = Type.Object(
  {
    taken_at: moment('When the model was collected.'),
    found: Type.Array(
      Type.Object(
        {
          kind: words(foundKinds, 'What it is.'),
          id: Type.String({ description: 'Host name, uuid of an instance, id of a project, name of a flavor.' }),
          name: Type.String({ description: 'As people know it; of a project its id.' }),
          host: nullableText('Host of an instance; null for others, and while it is on none.'),
          instances: Type.Unsafe<number | null>({
            type: ['integer', 'null'],
            minimum: 0,
            description: 'Instances on a host, of a project or of a flavor; null for an instance.',
          }),
        },
        closed,
      ),
      { description: 'By kind, best first.' },
    ),
    more: Type.Integer({ minimum: 0, description: 'Others that fit too.' }),
  },
  { $id: 'ClusterFound', ...closed },
);

const clusterHost = Type.Object(
  {
    ...modelAge,
    load: component('LoadMeasurement'),
    host: Type.Object({ ...hostFields, traits: Type.Array(Type.String()) }, closed),
    instances: Type.Array(component('InstanceSummary'), { description: 'By name, then uuid.' }),
  },
  { $id: 'ClusterHost', ...closed },
);

/** Components of the cluster's pages. */
export const clusterSchemas = [
  resourceUse,
  loadMeasurement,
  hostSummary,
  clusterTotals,
  clusterSummary,
  instanceSummary,
  clusterHost,
  clusterInstance,
  clusterFound,
];
