import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { DynamicProperties } from '#libs/dynamic-properties';
import {
  type ClusterSummaryResponse,
  clusterFindSchemas,
  clusterHostSchemas,
  clusterSummarySchemas,
} from '#libs/messaging';
import { queryArguments, textArgument } from '../../collections/query-arguments.ts';
import { badRequest } from '../../http/faults/fault.ts';
import { describeInternal } from '../openapi/internal-openapi.ts';
import { requireValue } from '../properties/create-properties.ts';
import { clusterId } from '../properties/engine-properties.ts';
import { type Aged, createPackedResponses } from './packed-responses.ts';

/**
 * `GET /internal/cluster/summary` and `GET /internal/cluster/hosts/{hostname}`: the cloud as the decision engine sees
 * it. Any number of requests cause one engine call every few seconds.
 */
export function registerClusterRoutes(app: FastifyInstance, properties: DynamicProperties): void {
  const schemas = [...clusterSummarySchemas, ...clusterHostSchemas, ...clusterFindSchemas];
  for (const schema of schemas) app.addSchema(schema);
  const send = createPackedResponses();
  /** The value with its current age: the model has aged since the engine was called. */
  async function show<Value extends Aged>(
    request: FastifyRequest,
    reply: FastifyReply,
    [kind, id, name]: readonly [string, string, string],
    partOf = (value: Value): Value => value,
  ) {
    const reading = await properties.read(kind, id, name);
    return send(request, reply, partOf(requireValue(reading) as Value), reading.ageSeconds ?? 0);
  }
  const totalsOf = createTotals();
  const summarySchema = describeInternal({
    tag: 'cluster',
    operationId: 'get_cluster_summary',
    summary: 'Every host with allocation, load and state, and the sums over all',
    query: { hosts: Type.Optional(Type.String({ description: '`false` omits hosts and aggregates.' })) },
    response: 'ClusterSummary',
    tagged: true,
    refusals: [502, 503, 504],
  });
  app.get('/cluster/summary', { schema: summarySchema }, (request, reply) => {
    const hosts = textArgument(queryArguments(request, ['hosts']), 'hosts');
    if (hosts !== undefined && hosts !== 'true' && hosts !== 'false')
      throw badRequest('hosts: true or false is expected');
    return show(request, reply, ['cluster', clusterId, 'summary'], hosts === 'false' ? totalsOf : undefined);
  });
  const hostSchema = describeInternal({
    tag: 'cluster',
    operationId: 'get_cluster_host',
    summary: 'One host with its instances',
    params: { hostname: 'Host of the compute service.' },
    response: 'ClusterHost',
    tagged: true,
    refusals: [404, 502, 503, 504],
  });
  app.get<{ Params: { hostname: string } }>('/cluster/hosts/:hostname', { schema: hostSchema }, (request, reply) => {
    queryArguments(request);
    return show(request, reply, ['host', request.params.hostname, 'page']);
  });
}

/** Summaries without hosts and aggregates, one for each summary, so that requests share its text. */
function createTotals(): (summary: ClusterSummaryResponse) => ClusterSummaryResponse {
  const made = new WeakMap<ClusterSummaryResponse, ClusterSummaryResponse>();
  return (summary) => {
    const totals = made.get(summary) ?? { ...summary, aggregates: [], hosts: [] };
    made.set(summary, totals);
    return totals;
  };
}
