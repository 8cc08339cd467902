import { type TSchema, Type } from 'typebox';
import { freeObject, nullableText, words } from '../../../openapi/shared-schemas.ts';
import type { laterServerFields, nodeFields, serverFields } from './fields.ts';

type Field = (typeof nodeFields)[number] | (typeof serverFields)[number] | (typeof laterServerFields)[number];

const whole = (description: string) => Type.Integer({ description });
const number = (description: string) => Type.Number({ description });
const text = (description: string) => Type.String({ description });

const fields: Record<Field, TSchema> = {
  node_uuid: text('Id of the hypervisor.'),
  node_hostname: text('Name of the compute service.'),
  node_status: words(['enabled', 'disabled'], 'Status of the compute service.'),
  node_disabled_reason: nullableText('Reason for disabling the compute service.'),
  node_state: words(['up', 'down'], 'State of the compute service.'),
  node_memory: whole('MiB.'),
  node_memory_mb_reserved: whole('MiB reserved for the host.'),
  node_disk: whole('GiB.'),
  node_disk_gb_reserved: whole('GiB reserved for the host.'),
  node_vcpus: whole('Processors.'),
  node_vcpu_reserved: whole('Processors reserved for the host.'),
  node_memory_ratio: number('Overcommit of memory.'),
  node_vcpu_ratio: number('Overcommit of processors.'),
  node_disk_ratio: number('Overcommit of disk.'),
  server_uuid: text('Uuid of the instance.'),
  server_watcher_exclude: Type.Boolean({ description: 'Whether the element is outside the scope of the audit.' }),
  server_name: text('Name of the instance.'),
  server_state: text('State of the instance, such as `active`.'),
  server_memory: whole('MiB.'),
  server_disk: whole('GiB.'),
  server_vcpus: whole('Processors.'),
  server_metadata: freeObject('Metadata of the instance.'),
  server_project_id: nullableText('Project that owns it.'),
  server_locked: Type.Boolean({ description: 'Whether the instance is locked.' }),
  server_pinned_az: nullableText('Required availability zone of the instance; from 1.6 on.'),
  server_flavor_extra_specs: freeObject('Extra specs of its flavor; from 1.6 on.'),
};
const optional = Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)]));

/** Components of the OpenAPI document for the data model. */
export const dataModelSchemas = [
  Type.Object(
    {
      context: Type.Array(Type.Object(optional, { additionalProperties: false }), {
        description: 'One entry for each instance, with its node, and one for each node without instances.',
      }),
    },
    { $id: 'DataModel', additionalProperties: false },
  ),
];
