import type { FastifyInstance } from 'fastify';
import type { DynamicProperties } from '#libs/dynamic-properties';
import type { ClusterHostAnswer, ClusterSummaryAnswer } from '#libs/messaging';
import { queryArguments } from '../../collections/query-arguments.ts';
import { describeInternal } from '../openapi/describe-internal.ts';
import { requireValue } from '../properties/create-properties.ts';
import { clusterId } from '../properties/engine-properties.ts';
import { clusterSchemas } from './schema.ts';

/**
 * `GET /internal/cluster/summary` and `GET /internal/cluster/hosts/{hostname}`: the cloud as the decision engine sees it. However
 * many ask, the engine is asked once in a few seconds.
 */
export function registerClusterRoutes(app: FastifyInstance, properties: DynamicProperties): void {
  for (const schema of clusterSchemas) app.addSchema(schema);
  const summarySchema = describeInternal({
    tag: 'cluster',
    operationId: 'get_cluster_summary',
    summary: 'Every host with allocation, load and state, and the sums over all',
    answer: 'ClusterSummary',
    refusals: [502, 504],
  });
  app.get('/cluster/summary', { schema: summarySchema }, async (request) => {
    queryArguments(request);
    return shown<ClusterSummaryAnswer>(properties, 'cluster', clusterId, 'summary');
  });
  const hostSchema = describeInternal({
    tag: 'cluster',
    operationId: 'get_cluster_host',
    summary: 'One host with its instances',
    params: { hostname: 'Host of the compute service.' },
    answer: 'ClusterHost',
    refusals: [404, 502, 504],
  });
  app.get<{ Params: { hostname: string } }>('/cluster/hosts/:hostname', { schema: hostSchema }, async (request) => {
    queryArguments(request);
    return shown<ClusterHostAnswer>(properties, 'host', request.params.hostname, 'page');
  });
}

/** The value with its age as of now: the model has grown older since the engine was asked. */
async function shown<Answer extends { age_seconds: number }>(
  properties: DynamicProperties,
  ...key: [kind: string, id: string, name: string]
): Promise<Answer> {
  const reading = await properties.read(...key);
  const answer = requireValue(reading) as Answer;
  return { ...answer, age_seconds: Math.round((answer.age_seconds + (reading.ageSeconds ?? 0)) * 10) / 10 };
}
