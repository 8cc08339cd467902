import type { SchemaValue } from '#libs/domain';
import { loadField, loadOrNull } from './cluster-summary.ts';
import { closedObject, componentOf } from './response-schema.ts';
import type { RpcTopic } from './rpc-topic.ts';

/** Longest period, in days. */
export const fullestHostDays = 366;

/** `history.fullest`: the hosts with the highest load over a period. */
export interface HistoryFullestRequest {
  /** Seconds since 1970; the end is not in the future. At most `fullestHostDays` apart. */
  start: number;
  end: number;
  /** Hosts at most, 1 to 100. */
  limit: number;
}

const fullestHostSchema = closedObject(
  {
    hostname: { type: 'string', description: 'Host of the compute service.' },
    cpu_mean: loadOrNull('Mean CPU use, percent of the host.'),
    cpu_highest: loadOrNull('Highest sample of CPU use, percent of the host.'),
    memory_mean: loadOrNull('Mean memory use, percent of the host; null for removed hosts.'),
    memory_highest: loadOrNull('Highest sample of memory use, percent of the host.'),
  },
  { $id: 'FullestHost', description: 'Loads over a period; null if not measured.' },
);

const historyFullestSchema = closedObject(
  {
    ...loadField,
    measured_hosts: { type: 'integer', minimum: 0, description: 'Hosts with samples.' },
    hosts: {
      type: 'array',
      items: componentOf(fullestHostSchema),
      description: 'By the higher one of mean CPU and memory use, fullest first.',
    },
  },
  { $id: 'FullestHosts', description: 'The fullest hosts of a period.' },
);

/** Components of the response. */
export const historyFullestSchemas = [fullestHostSchema, historyFullestSchema];

/** Loads of a host over a period. */
export type FullestHost = SchemaValue<typeof fullestHostSchema>;
/** The fullest hosts of a period. */
export type HistoryFullestResponse = SchemaValue<typeof historyFullestSchema>;

/** Refusals: `invalid_input`. Without a data source the list is empty, and `load.error` has the reason. */
export const historyFullest: RpcTopic<HistoryFullestRequest, HistoryFullestResponse> = {
  topic: 'history.fullest',
  timeoutMs: 60_000,
};
