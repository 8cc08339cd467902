import { NotFoundError } from '#libs/domain';
import type { PropertyDeclaration } from '#libs/dynamic-properties';
import { type ClusterSummaryResponse, clusterHost, clusterSummary } from '#libs/messaging';
import type { RouteDeps } from '../../api-deps.ts';
import { callEngine, unavailableWithoutEngine } from '../../http/call-engine.ts';

type EngineDeps = Pick<RouteDeps, 'bus' | 'logger'>;

/** Id of the only cluster. */
export const clusterId = 'cluster';

/** The engine collects the model again when it is older than 60 s. Loads are means over 5 minutes. */
const request = { max_age_seconds: 60, load_period_seconds: 300 };
const shared = { backend: 'engine', ttlSeconds: 5, staleWhileRevalidateSeconds: 25, locked: true, timeoutSeconds: 45 };
/** The engine ends its work when the load is given up, so that abandoned calls take no places of later ones. */
const patience = { timeoutMs: 1000 * shared.timeoutSeconds };
const number = { type: 'number' };
const numberOrNull = { type: ['number', 'null'] };
const use = {
  type: 'object',
  required: ['total', 'capacity', 'used'],
  properties: { total: number, capacity: number, used: number },
};

/**
 * Properties that the decision engine knows. Host loads come from the summary, so one engine call serves any number of
 * watched hosts.
 * @param readSummary the summary, shared by all readers.
 */
export function engineProperties(
  deps: EngineDeps,
  readSummary: () => Promise<ClusterSummaryResponse>,
): PropertyDeclaration[] {
  return [
    {
      ...shared,
      kind: 'cluster',
      name: 'summary',
      description: `Every host with allocation, load and state; the id is \`${clusterId}\`.`,
      schema: { type: 'object', required: ['taken_at', 'totals', 'hosts'] },
      load: (id) => {
        if (id !== clusterId) throw new NotFoundError('Cluster', id);
        return callEngine(deps, clusterSummary, request, unavailableWithoutEngine, patience);
      },
    },
    {
      ...shared,
      kind: 'host',
      name: 'page',
      description: 'The host with its instances.',
      schema: { type: 'object', required: ['taken_at', 'host', 'instances'] },
      load: (id) =>
        callEngine(
          deps,
          clusterHost,
          { ...request, hostname: id },
          { ...unavailableWithoutEngine, host_not_found: () => new NotFoundError('Host', id) },
          patience,
        ),
    },
    {
      ...shared,
      // Makes no call.
      backend: 'memory',
      kind: 'host',
      name: 'load',
      description: 'Measured and allocated load of the host.',
      schema: {
        type: 'object',
        required: ['cpu_load', 'memory_load', 'instances', 'vcpus', 'memory', 'disk'],
        properties: {
          cpu_load: numberOrNull,
          memory_load: numberOrNull,
          instances: { type: 'integer' },
          vcpus: use,
          memory: use,
          disk: use,
        },
        additionalProperties: false,
      },
      async load(id) {
        const host = (await readSummary()).hosts.find(({ hostname }) => hostname === id);
        if (!host) throw new NotFoundError('Host', id);
        const { cpu_load, memory_load, instances, vcpus, memory, disk } = host;
        return { cpu_load, memory_load, instances, vcpus, memory, disk };
      },
    },
  ];
}
