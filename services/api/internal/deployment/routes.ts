import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { queryArguments } from '../../collections/query-arguments.ts';
import { maxVersion } from '../../http/request/microversion.ts';
import { component, nullableText } from '../../openapi/shared-schemas.ts';
import type { InternalDeps } from '../internal-deps.ts';
import { noteLogPosition } from '../note-log-position.ts';
import { describeInternal } from '../openapi/internal-openapi.ts';

/** Components of `GET /internal/deployment`. */
const deploymentSchemas = [
  Type.Object(
    {
      name: Type.String({ description: 'Checked dependency, such as `store`.' }),
      ok: Type.Boolean(),
      reason: nullableText('Reason of the failed check.'),
      duration_ms: Type.Integer(),
    },
    { $id: 'ReadinessCheck', additionalProperties: false },
  ),
  Type.Object(
    {
      version: Type.String({ description: 'Version of the build.' }),
      internal_version: Type.String({ description: 'Required value of the version header.' }),
      public_version: Type.String({ description: 'Newest microversion of the public API.' }),
      node_version: Type.String({ description: 'Version of the runtime.' }),
      ready: Type.Boolean({ description: 'Whether the process is ready.' }),
      checks: Type.Array(component('ReadinessCheck')),
      outbox: Type.Object(
        {
          messages: Type.Integer({ description: 'Messages not yet accepted by the broker.' }),
          oldest_seconds: Type.Number({ description: 'Age of the oldest message; 0 without any.' }),
        },
        { additionalProperties: false },
      ),
      change_number: Type.Integer({ description: 'Newest number of the change log.' }),
    },
    { $id: 'Deployment', additionalProperties: false },
  ),
];

/** `GET /internal/deployment`: build, readiness and outbox backlog of the responding process. */
export function registerDeploymentRoutes(app: FastifyInstance, deps: InternalDeps): void {
  for (const schema of deploymentSchemas) app.addSchema(schema);
  const schema = describeInternal({
    tag: 'deployment',
    operationId: 'get_deployment',
    summary: 'Versions, readiness and backlog of the responding process',
    response: 'Deployment',
  });
  app.get('/deployment', { schema }, async (request, reply) => {
    queryArguments(request);
    noteLogPosition(reply, deps);
    const [{ ready, checks }, backlog, bounds] = await Promise.all([
      deps.readiness.report(),
      deps.store.outboxQueue.backlog(),
      deps.store.changes.bounds(),
    ]);
    return {
      version: deps.version,
      internal_version: deps.version.split('.')[0] ?? deps.version,
      public_version: maxVersion,
      node_version: process.versions.node,
      ready,
      checks: checks.map(({ durationMs, advisory: _advisory, ...check }) => ({ ...check, duration_ms: durationMs })),
      outbox: { messages: backlog.count, oldest_seconds: backlog.oldestSeconds },
      change_number: bounds.newest,
    };
  });
}
