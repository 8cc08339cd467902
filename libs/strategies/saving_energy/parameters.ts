import type { JsonObject } from '#libs/domain';
import { failureReserveSchema } from '../failure-reserve.ts';

/** Parameters of `saving_energy`. */
export type SavingEnergyParameters = {
  /** Free hosts that stay on, in percent of the hosts with instances; default 10. */
  free_used_percent: number;
  /** Free hosts that stay on at least; default 1. */
  min_free_hosts_num: number;
  /** Hosts of each failure domain that may fail at once; default 1. Not one of Watcher's. */
  failure_reserve?: number;
};

/** JSON Schema (draft 4) of the parameters. */
export const savingEnergyParameters: JsonObject = {
  type: 'object',
  properties: {
    free_used_percent: {
      description: 'Hosts without instances that stay powered on, in percent of the hosts with instances.',
      type: 'number',
      minimum: 0,
      default: 10.0,
    },
    min_free_hosts_num: {
      description: 'Hosts without instances that stay powered on at least.',
      type: 'number',
      minimum: 0,
      default: 1,
    },
    failure_reserve: failureReserveSchema,
  },
};
