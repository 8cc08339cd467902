import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { NotFoundError } from '#libs/domain';
import { clusterFind, clusterInstance, type FoundKind, foundKinds } from '#libs/messaging';
import { countArgument, queryArguments, textArgument } from '../../collections/query-arguments.ts';
import { callEngine, unavailableWithoutEngine } from '../../http/call-engine.ts';
import { badRequest } from '../../http/faults/fault.ts';
import type { InternalDeps } from '../internal-deps.ts';
import { describeInternal } from '../openapi/internal-openapi.ts';

/** As for hosts: the model is collected again when it is older than 60 s. Loads are means over 5 minutes. */
const freshness = { max_age_seconds: 60, load_period_seconds: 300 };
const defaultLimit = 10;
const maxLimit = 100;
const maxText = 255;

/** `GET /internal/cluster/find` and `GET /internal/cluster/instances/{uuid}`: a search by name, and one instance. */
export function registerFindRoutes(app: FastifyInstance, deps: InternalDeps): void {
  const find = describeInternal({
    tag: 'cluster',
    operationId: 'find_in_cluster',
    summary: 'Hosts, instances, projects, flavors, zones and racks by a part of their name or a prefix of their id',
    query: {
      q: Type.Optional(Type.String({ description: 'Project, case-insensitive; default: the first by name.' })),
      kinds: Type.Optional(
        Type.String({ description: `Kinds, comma-separated: ${foundKinds.join(', ')}; default: all.` }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: maxLimit,
          description: `Maximum number of matches per kind; default ${defaultLimit}.`,
        }),
      ),
    },
    response: 'ClusterFound',
    refusals: [500, 503],
  });
  app.get('/cluster/find', { schema: find }, async (request) => {
    const query = queryArguments(request, ['q', 'kinds', 'limit']);
    const text = textArgument(query, 'q') ?? '';
    if (text.length > maxText) throw badRequest(`q: at most ${maxText} characters`);
    const limit = countArgument(query, 'limit', defaultLimit, maxLimit);
    const rpcRequest = { text, kinds: kindsOf(textArgument(query, 'kinds')), limit };
    return callEngine(deps, clusterFind, rpcRequest, unavailableWithoutEngine);
  });

  const instance = describeInternal({
    tag: 'cluster',
    operationId: 'get_cluster_instance',
    summary: 'One instance with its host and its placement rules',
    params: { uuid: 'Uuid of the instance.' },
    response: 'ClusterInstance',
    refusals: [404, 500, 503],
  });
  app.get<{ Params: { uuid: string } }>('/cluster/instances/:uuid', { schema: instance }, async (request) => {
    queryArguments(request);
    const { uuid } = request.params;
    return callEngine(
      deps,
      clusterInstance,
      { ...freshness, uuid },
      { ...unavailableWithoutEngine, instance_not_found: () => new NotFoundError('Instance', uuid) },
    );
  });
}

function kindsOf(text: string | undefined): FoundKind[] {
  if (text === undefined) return [...foundKinds];
  return text.split(',').map((name) => {
    const kind = foundKinds.find((known) => known === name.trim());
    if (!kind) throw badRequest(`kinds: ${name.slice(0, 80)} is none of ${foundKinds.join(', ')}`);
    return kind;
  });
}
