import type { JsonObject, SchemaValue } from '#libs/domain';
import { failureReserveSchema } from '../shared/reserve/failure-reserve.ts';

/** JSON Schema (draft 4) of the parameters. */
export const savingEnergyParameters = {
  type: 'object',
  properties: {
    free_used_percent: {
      'x-texts': { de: { title: 'Anteil leerer Hosts in Reserve' } },
      description: 'Hosts without instances that stay powered on, in percent of the hosts with instances.',
      'x-unit': '%',
      type: 'number',
      minimum: 0,
      default: 10.0,
    },
    min_free_hosts_num: {
      'x-texts': { de: { title: 'Leere Hosts in Reserve' } },
      description: 'Minimum number of hosts without instances that stay powered on.',
      type: 'number',
      minimum: 0,
      default: 1,
    },
    failure_reserve: failureReserveSchema,
  },
} as const satisfies JsonObject;

/** Parameters of `saving_energy`. */
export type SavingEnergyParameters = SchemaValue<typeof savingEnergyParameters>;
