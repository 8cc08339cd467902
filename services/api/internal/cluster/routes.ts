import type { FastifyInstance } from 'fastify';
import { NotFoundError } from '#libs/domain';
import { clusterHost, clusterSummary } from '#libs/messaging';
import { queryArguments } from '../../collections/query-arguments.ts';
import { askEngine } from '../../http/ask-engine.ts';
import { ApiFault } from '../../http/fault.ts';
import type { InternalDeps } from '../internal-deps.ts';
import { describeInternal } from '../openapi/describe-internal.ts';
import { clusterSchemas } from './schema.ts';

/** The engine collects the model anew when it is older than this; seconds. */
const modelMaxAgeSeconds = 60;
/** Window of the loads that are shown; seconds. */
const loadPeriodSeconds = 300;

const question = { max_age_seconds: modelMaxAgeSeconds, load_period_seconds: loadPeriodSeconds };

/** `GET /internal/cluster/summary` and `GET /internal/cluster/hosts/{hostname}`: the cloud as the decision engine sees it. */
export function registerClusterRoutes(app: FastifyInstance, deps: InternalDeps): void {
  for (const schema of clusterSchemas) app.addSchema(schema);
  const summarySchema = describeInternal({
    tag: 'cluster',
    operationId: 'get_cluster_summary',
    summary: 'Every host with allocation, load and state, and the sums over all',
    answer: 'ClusterSummary',
    refusals: [500],
  });
  app.get('/cluster/summary', { schema: summarySchema }, async (request) => {
    queryArguments(request);
    return askEngine(deps, clusterSummary, question);
  });
  const hostSchema = describeInternal({
    tag: 'cluster',
    operationId: 'get_cluster_host',
    summary: 'One host with its instances',
    params: { hostname: 'Host of the compute service.' },
    answer: 'ClusterHost',
    refusals: [404, 500],
  });
  app.get<{ Params: { hostname: string } }>('/cluster/hosts/:hostname', { schema: hostSchema }, async (request) => {
    queryArguments(request);
    const { hostname } = request.params;
    return askEngine(
      deps,
      clusterHost,
      { ...question, hostname },
      { host_not_found: () => new ApiFault(404, new NotFoundError('Host', hostname).message) },
    );
  });
}
