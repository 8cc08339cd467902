import type { JsonObject } from '#libs/domain';

/** Parameters of `vm_workload_consolidation`. */
export type VmWorkloadConsolidationParameters = {
  /** Seconds before now that the metrics cover, default 3600. */
  period: number;
  /** Seconds between two stored samples, default 300. */
  granularity: number;
};

/** JSON Schema (draft 4) of the parameters. */
export const vmWorkloadConsolidationParameters: JsonObject = {
  type: 'object',
  properties: {
    period: { description: 'Seconds before now over which metrics are averaged.', type: 'number', default: 3600 },
    granularity: {
      description: 'Seconds between two stored samples, where the source has several series.',
      type: 'number',
      default: 300,
    },
  },
};
