import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DynamicProperties } from '#libs/dynamic-properties';
import { clusterFindSchemas, clusterHostSchemas, clusterSummarySchemas } from '#libs/messaging';
import { queryArguments } from '../../collections/query-arguments.ts';
import { describeInternal } from '../openapi/internal-openapi.ts';
import { requireValue } from '../properties/create-properties.ts';
import { clusterId } from '../properties/engine-properties.ts';
import { createPackedResponses } from './packed-responses.ts';

/**
 * `GET /internal/cluster/summary` and `GET /internal/cluster/hosts/{hostname}`: the cloud as the decision engine sees
 * it. Any number of requests cause one engine call every few seconds.
 */
export function registerClusterRoutes(app: FastifyInstance, properties: DynamicProperties): void {
  const schemas = [...clusterSummarySchemas, ...clusterHostSchemas, ...clusterFindSchemas];
  for (const schema of schemas) app.addSchema(schema);
  const send = createPackedResponses();
  /** The value with its current age: the model has aged since the engine was called. */
  async function show(request: FastifyRequest, reply: FastifyReply, kind: string, id: string, name: string) {
    queryArguments(request);
    const reading = await properties.read(kind, id, name);
    return send(request, reply, requireValue(reading) as { age_seconds: number }, reading.ageSeconds ?? 0);
  }
  const summarySchema = describeInternal({
    tag: 'cluster',
    operationId: 'get_cluster_summary',
    summary: 'Every host with allocation, load and state, and the sums over all',
    answer: 'ClusterSummary',
    tagged: true,
    refusals: [502, 503, 504],
  });
  app.get('/cluster/summary', { schema: summarySchema }, (request, reply) =>
    show(request, reply, 'cluster', clusterId, 'summary'),
  );
  const hostSchema = describeInternal({
    tag: 'cluster',
    operationId: 'get_cluster_host',
    summary: 'One host with its instances',
    params: { hostname: 'Host of the compute service.' },
    answer: 'ClusterHost',
    tagged: true,
    refusals: [404, 502, 503, 504],
  });
  app.get<{ Params: { hostname: string } }>('/cluster/hosts/:hostname', { schema: hostSchema }, (request, reply) =>
    show(request, reply, 'host', request.params.hostname, 'page'),
  );
}
