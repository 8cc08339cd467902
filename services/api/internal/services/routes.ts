import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { messageOf } from '#libs/domain';
import { callRpc, isRefusal, type ServiceResponse, serviceTopic } from '#libs/messaging';
import { createDiagnostics, serviceTypes } from '#libs/processes';
import {
  type GraphEdge,
  type GraphKind,
  graphKinds,
  type ServiceRequestKind,
  type ServiceStatusRow,
} from '#libs/store';
import {
  intArgument,
  limitArgument,
  queryArguments,
  requireUuid,
  textArgument,
} from '../../collections/query-arguments.ts';
import { ApiFault, badRequest, conflict } from '../../http/faults/fault.ts';
import type { InternalDeps } from '../internal-deps.ts';
import { noteLogPosition } from '../note-log-position.ts';
import { describeInternal } from '../openapi/internal-openapi.ts';
import { serviceSchemas } from './schema.ts';
import { decisionBody, eventBody, graphBody, requestBody, serviceBody } from './serializer.ts';

const tag = 'services';
const defaultLimit = 100;
const requestTimeoutMs = 30_000;
const ident = 'Instance uuid, `name@host`, or a unique service name.';
const paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Maximum number of entries; default 100.' })),
  before: Type.Optional(Type.Integer({ description: 'Only entries with a smaller id.' })),
};

/** Registry, recovery and resource graph, and Check and Status of any process. */
export function registerServiceRoutes(app: FastifyInstance, deps: InternalDeps): void {
  for (const schema of serviceSchemas) app.addSchema(schema);
  registerOwnDiagnostics(app, deps);
  registerReads(app, deps);
  registerCalls(app, deps);
  registerRequests(app, deps);
}

function registerOwnDiagnostics(app: FastifyInstance, deps: InternalDeps): void {
  const own =
    deps.diagnostics ??
    createDiagnostics({ readiness: deps.readiness, logger: deps.logger, nowMs: () => deps.clock.now() }, () => ({
      version: deps.version,
    }));
  const doc = (operationId: string, summary: string, response: string) =>
    ({ schema: describeInternal({ tag, operationId, summary, response: response }) }) as const;
  app.get('/check', doc('check', 'Health of the responding process', 'CheckReport'), async (request) => {
    queryArguments(request);
    return own.check();
  });
  app.get('/status', doc('status', 'Full status of the responding process', 'StatusReport'), async (request) => {
    queryArguments(request);
    return own.status();
  });
}

function registerReads(app: FastifyInstance, deps: InternalDeps): void {
  const { store, maxLimit } = deps;
  const { registry, recovery } = store.db;
  const services = describeInternal({
    tag,
    operationId: 'list_services',
    summary: 'Services with desired and observed states',
    response: 'RegisteredServiceList',
  });
  app.get('/services', { schema: services }, async (request, reply) => {
    queryArguments(request);
    noteLogPosition(reply, deps);
    const [rows, faults] = await Promise.all([registry.matrix(), store.db.pluginFaults.list()]);
    return { services: rows.map((row) => serviceBody(row, faults)) };
  });

  const events = describeInternal({
    tag,
    operationId: 'list_service_events',
    summary: 'Life-cycle events, newest first',
    query: { ...paging, service: Type.Optional(Type.String()) },
    response: 'ServiceEventList',
  });
  app.get('/services/events', { schema: events }, async (request) => {
    const query = queryArguments(request, ['limit', 'before', 'service']);
    const page = pageOf(query, maxLimit);
    const found = await registry.listEvents({ ...page, serviceName: textArgument(query, 'service') });
    return { events: found.map(eventBody), next: nextOf(found, page.limit) };
  });

  const decisions = describeInternal({
    tag,
    operationId: 'list_recovery_decisions',
    summary: 'Decisions of the recovery coordinator, newest first',
    query: { ...paging, rule: Type.Optional(Type.String()) },
    response: 'RecoveryDecisionList',
  });
  app.get('/services/decisions', { schema: decisions }, async (request) => {
    const query = queryArguments(request, ['limit', 'before', 'rule']);
    const page = pageOf(query, maxLimit);
    const found = await recovery.decisions({ ...page, rule: textArgument(query, 'rule') });
    return { decisions: found.map(decisionBody), next: nextOf(found, page.limit) };
  });

  const graph = describeInternal({
    tag,
    operationId: 'get_resource_graph',
    summary: 'The resource graph, or the edges of one node',
    query: { kind: Type.Optional(Type.String()), id: Type.Optional(Type.String()) },
    response: 'ResourceGraph',
  });
  app.get('/services/graph', { schema: graph }, async (request) => {
    const query = queryArguments(request, ['kind', 'id']);
    const kind = kindOf(textArgument(query, 'kind'));
    const id = textArgument(query, 'id');
    if (id !== undefined && kind === undefined) throw badRequest('id: needs kind');
    if (kind === undefined) return graphBody(await registry.edges());
    const [from, to] = await Promise.all([
      registry.edges({ srcKind: kind, srcId: id }),
      registry.edges({ dstKind: kind, dstId: id }),
    ]);
    return graphBody(uniqueEdges([...from, ...to]));
  });
}

function registerCalls(app: FastifyInstance, deps: InternalDeps): void {
  for (const op of ['check', 'status'] as const) {
    const schema = describeInternal({
      tag,
      operationId: `${op}_service`,
      summary: op === 'check' ? 'Requests the health of a process' : 'Requests the full status of a process',
      params: { ident },
      response: op === 'check' ? 'CheckReport' : 'StatusReport',
      refusals: [404, 409, 504],
    });
    app.get<{ Params: { ident: string } }>(`/services/:ident/${op}`, { schema }, async (request) => {
      queryArguments(request);
      const row = await findService(deps, request.params.ident);
      return requestProcess(deps, row, op);
    });
  }
}

function registerRequests(app: FastifyInstance, deps: InternalDeps): void {
  for (const kind of ['restart', 'stop', 'start'] as const) {
    const schema = describeInternal({
      tag,
      operationId: `${kind}_service`,
      summary:
        kind === 'stop'
          ? 'Requests a stop; it cancels another pending request for the same service'
          : `Requests a ${kind}; 409 if the service is stopped and no process can start it`,
      params: { ident },
      response: 'ServiceRequest',
      status: 202,
      refusals: [404, 409],
    });
    app.post<{ Params: { ident: string } }>(`/services/:ident/${kind}`, { schema }, async (request, reply) => {
      queryArguments(request);
      const row = await findService(deps, request.params.ident);
      const made = await makeRequest(deps, request, row, kind);
      return reply.code(202).header('Location', `/internal/service-requests/${made.id}`).send(made);
    });
  }
  const schema = describeInternal({
    tag,
    operationId: 'get_service_request',
    summary: 'Status of a request',
    params: { id: 'Uuid of the request.' },
    response: 'ServiceRequest',
    refusals: [404],
  });
  app.get<{ Params: { id: string } }>('/service-requests/:id', { schema }, async (request) => {
    queryArguments(request);
    const id = requireUuid('id', request.params.id);
    await deps.store.db.registry.endLateRequests();
    const found = await deps.store.db.registry.findRequest(id);
    if (found === null) throw new ApiFault(404, `ServiceRequest ${id} could not be found`);
    return requestBody(found);
  });
}

async function findService({ store }: InternalDeps, ident: string): Promise<ServiceStatusRow> {
  const rows = (await store.db.registry.matrix()).filter(
    ({ serviceName, host, instance }) =>
      ident === instance.instanceId || ident === `${serviceName}@${host}` || ident === serviceName,
  );
  const [row, other] = rows;
  if (!row) throw new ApiFault(404, `Service ${ident} could not be found`);
  if (other)
    throw conflict(`Several hosts run ${ident}: specify ${rows.map((one) => `${ident}@${one.host}`).join(' or ')}`);
  return row;
}

async function requestProcess({ bus }: InternalDeps, row: ServiceStatusRow, op: 'check' | 'status'): Promise<object> {
  const name = `${row.serviceName}@${row.host}`;
  if (!row.instance.isAlive) throw conflict(`${name} does not run: it is ${row.status}`);
  if (bus === null) throw new ApiFault(503, 'No message bus is configured');
  try {
    const response = await callRpc(bus, serviceTopic(row.instance.instanceId), { schema: 'service.question/1', op });
    if (isRefusal(response)) throw new ApiFault(502, response.error.message);
    return (response as ServiceResponse).result;
  } catch (error) {
    if (error instanceof ApiFault) throw error;
    throw new ApiFault(504, `${name} does not respond: ${messageOf(error)}`, { cause: error });
  }
}

async function makeRequest(
  { store, bus, newUuid, logger }: InternalDeps,
  request: FastifyRequest,
  row: ServiceStatusRow,
  kind: ServiceRequestKind,
) {
  const { serviceName, host, instance } = row;
  if (kind !== 'stop' && !instance.isAlive && !(await store.db.registry.isSupervised(serviceName, host))) {
    throw conflict(`No process can start ${serviceName}@${host} on request: ${startHint(row)}`);
  }
  const made = await store.db.registry.request({
    id: newUuid(),
    kind,
    serviceName,
    host,
    requestedBy: request.caller.userId ?? 'anonymous',
    timeoutMs: requestTimeoutMs,
  });
  if (bus !== null && kind !== 'start' && instance.isAlive) {
    // Only a hint: the next heartbeat finds the request anyway.
    callRpc(bus, serviceTopic(instance.instanceId), { schema: 'service.question/1', op: 'request' }).catch(
      (error: unknown) =>
        logger.debug(
          { service: serviceName, host, error },
          'cannot notify process, its next heartbeat reads the request',
        ),
    );
  }
  return requestBody(made);
}

/** How to start a service that only a process on its host can start. */
function startHint({ serviceType, host }: ServiceStatusRow): string {
  const { command = serviceType } = Object.entries(serviceTypes).find(([type]) => type === serviceType)?.[1] ?? {};
  return `only \`vigil up\` does, and it does not run there. On ${host}: \`systemctl start vigil-${command}\`, or \`vigil ${command}\`.`;
}

function pageOf(query: ReturnType<typeof queryArguments>, maxLimit: number): { limit: number; beforeId?: number } {
  return { limit: limitArgument(query, defaultLimit, maxLimit), beforeId: intArgument(query, 'before') };
}

function nextOf(found: readonly { id: number }[], limit: number): number | null {
  return found.length === limit ? (found.at(-1)?.id ?? null) : null;
}

function kindOf(text: string | undefined): GraphKind | undefined {
  if (text === undefined) return undefined;
  const kind = graphKinds.find((candidate) => candidate === text);
  if (!kind) throw badRequest(`kind: must be one of ${graphKinds.join(', ')}, not "${text}"`);
  return kind;
}

function uniqueEdges(edges: readonly GraphEdge[]): GraphEdge[] {
  return [
    ...new Map(
      edges.map((edge) => [[edge.srcKind, edge.srcId, edge.rel, edge.dstKind, edge.dstId].join('\n'), edge]),
    ).values(),
  ];
}
