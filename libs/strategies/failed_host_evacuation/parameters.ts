import type { JsonObject, SchemaValue } from '#libs/domain';

/** JSON Schema (draft 4) of the parameters. */
export const failedHostEvacuationParameters = {
  type: 'object',
  properties: {
    fenced_hosts: {
      'x-texts': { de: { title: 'Isolierte Hosts (Fencing)' } },
      description: 'Compute nodes known to be fenced, besides those that are forced down in Nova.',
      type: 'array',
      items: { type: 'string', format: 'host', minLength: 1 },
      default: [],
    },
    local_disks: {
      'x-texts': { de: { title: 'Instanzen mit lokaler Festplatte' } },
      description:
        'Instances with a disk on the host itself: leave them, or evacuate them too. Nova finds their disks again on shared storage only; ' +
        'without it, it makes the instance anew from its image, and its data is lost.',
      enum: ['leave', 'evacuate'],
      default: 'leave',
    },
  },
  additionalProperties: false,
} as const satisfies JsonObject;

/** Parameters of `failed_host_evacuation`. */
export type FailedHostEvacuationParameters = SchemaValue<typeof failedHostEvacuationParameters>;
