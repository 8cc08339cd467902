import type { FastifyInstance } from 'fastify';
import { queryArguments } from '../../collections/query-arguments.ts';
import { maxVersion } from '../../http/microversion.ts';
import type { InternalDeps } from '../internal-deps.ts';
import { describeInternal } from '../openapi/describe-internal.ts';
import { deploymentSchemas } from './schema.ts';

/** `GET /internal/deployment`: which build answers, whether it can work, and what waits to be sent. */
export function registerDeploymentRoutes(app: FastifyInstance, deps: InternalDeps): void {
  for (const schema of deploymentSchemas) app.addSchema(schema);
  const schema = describeInternal({
    tag: 'deployment',
    operationId: 'get_deployment',
    summary: 'Versions, readiness and backlog of the process that answers',
    answer: 'Deployment',
  });
  app.get('/deployment', { schema }, async (request) => {
    queryArguments(request);
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
