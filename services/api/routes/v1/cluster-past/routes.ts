import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { clusterPast, clusterPastDays } from '#libs/messaging';
import type { RouteDeps } from '../../../api-deps.ts';
import { authorize } from '../../../auth/policy.ts';
import { momentArgument, type QueryArguments, queryArguments } from '../../../collections/query-arguments.ts';
import { callEngine, type RefusalFaults, unavailableWithoutEngine } from '../../../http/call-engine.ts';
import { ApiFault, invalidField } from '../../../http/faults/fault.ts';
import { describe } from '../../../openapi/route-schemas.ts';

const dayMs = 86_400_000;
/** Clocks of clients may be ahead by so much. */
const toleranceMs = 60_000;
const example = '2026-05-01T12:00:00Z';

const faults: RefusalFaults = {
  ...unavailableWithoutEngine,
  model_not_available: (message) => new ApiFault(503, `The past of the cluster is not available: ${message}`),
};

/** `GET /v1/cluster/past`: hosts with instances, allocations and loads at a moment, and now. */
export function registerClusterPastRoute(app: FastifyInstance, deps: RouteDeps): void {
  const schema = describe({
    tag: 'data_model',
    operationId: 'get_cluster_past',
    summary: 'Hosts with instances, allocations and loads at a moment of the last weeks, and now (extension)',
    query: {
      at: Type.String({
        format: 'date-time',
        description: `ISO 8601 with offset, such as ${example}; at most ${clusterPastDays} days ago.`,
      }),
    },
    answer: 'ClusterPast',
    refusals: [503],
  });
  app.get('/v1/cluster/past', { schema }, async (request) => {
    const query = queryArguments(request, ['at']);
    authorize(deps.policy, request, 'data_model:past');
    return callEngine(deps, clusterPast, { at_ms: pastMoment(query, deps.clock.now()) }, faults);
  });
}

/** Milliseconds since 1970. @throws ApiFault 400 unless it is a moment of the last weeks */
function pastMoment(query: QueryArguments, nowMs: number): number {
  const at = momentArgument(query, 'at', { example });
  if (at === undefined) throw invalidField('at', null, `Mandatory argument missing. A time such as ${example}.`);
  const given = new Date(at).toISOString();
  if (at > nowMs + toleranceMs) throw invalidField('at', given, 'It is in the future.');
  const earliest = nowMs - clusterPastDays * dayMs;
  if (at < earliest) {
    const text = new Date(earliest).toISOString();
    throw invalidField('at', given, `It is more than ${clusterPastDays} days ago. The earliest moment is ${text}.`);
  }
  return Math.min(at, nowMs);
}
