import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type JsonObject, NotFoundError } from '#libs/domain';
import { modelGet } from '#libs/messaging';
import type { RouteDeps } from '../../../api-deps.ts';
import { authorize } from '../../../auth/policy.ts';
import { queryArguments, textArgument, uuidArgument } from '../../../collections/query-arguments.ts';
import { callEngine } from '../../../http/call-engine.ts';
import { ApiFault, notAcceptable } from '../../../http/faults/fault.ts';
import { describe } from '../../../openapi/route-schemas.ts';
import { shownFields } from './fields.ts';

/** First minor version that has the data model. */
const firstMinor = 3;
/** The only model that is shown. Others would need a new microversion. */
const shownType = 'compute';

/** `GET /v1/data_model`: the decision engine's model of the cloud, or of the scope of an audit. */
export function registerDataModelRoutes(app: FastifyInstance, deps: RouteDeps): void {
  const schema = describe({
    tag: 'data_model',
    operationId: 'get_data_model',
    summary: 'Nodes and instances as the decision engine sees them; from 1.3 on',
    query: {
      data_model_type: Type.Optional(Type.Unsafe({ type: 'string', enum: [shownType], default: shownType })),
      audit_uuid: Type.Optional(Type.String({ format: 'uuid', description: 'Audit whose scope is applied.' })),
    },
    response: 'DataModel',
    refusals: [404, 500],
  });
  app.get('/v1/data_model', { schema }, async (request) => {
    const query = queryArguments(request, ['data_model_type', 'audit_uuid']);
    const auditUuid = uuidArgument(query, 'audit_uuid');
    if (request.microversion < firstMinor) throw notAcceptable();
    const type = textArgument(query, 'data_model_type') ?? shownType;
    if (type !== shownType) throw unknownModel(type);
    authorize(deps.policy, request, 'data_model:get_all');
    const rpcRequest = { data_model_type: type, audit: auditUuid ?? null };
    const { context } = await callEngine(deps, modelGet, rpcRequest, {
      audit_not_found: () => new ApiFault(404, new NotFoundError('Audit', auditUuid ?? '').message),
      data_model_not_found: () => unknownModel(type),
    });
    const fields = shownFields(request.microversion);
    return { context: context.map((entry) => onlyFields(entry, fields)) };
  });
}

function unknownModel(type: string): ApiFault {
  return new ApiFault(404, `The ${type} data model could not be found`);
}

function onlyFields(entry: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(fields.flatMap((name) => (entry[name] === undefined ? [] : [[name, entry[name]]])));
}
