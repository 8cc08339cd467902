import type { JsonObject, SchemaValue } from '#libs/domain';

/** JSON Schema (draft 4) of the parameters. */
export const failedHostEvacuationParameters = {
  type: 'object',
  properties: {
    fenced_hosts: {
      'x-texts': { de: { title: 'Isolierte Hosts (Fencing)' } },
      description: 'Compute nodes that are fenced, in addition to those that are forced down in Nova.',
      type: 'array',
      items: { type: 'string', format: 'host', minLength: 1 },
      default: [],
    },
    local_disks: {
      'x-texts': { de: { title: 'Instanzen mit lokaler Festplatte' } },
      description:
        'Treatment of instances with a disk on the host itself: `leave` them, or `evacuate` them too. Nova finds ' +
        'their disks only on shared storage. Elsewhere it rebuilds the instance from its image, and its data are ' +
        'lost.',
      enum: ['leave', 'evacuate'],
      default: 'leave',
    },
  },
  additionalProperties: false,
} as const satisfies JsonObject;

/** Parameters of `failed_host_evacuation`. */
export type FailedHostEvacuationParameters = SchemaValue<typeof failedHostEvacuationParameters>;
