import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type ClusterPastResponse, clusterPast, clusterPastDays } from '#libs/messaging';
import type { RouteDeps } from '../../../api-deps.ts';
import { authorize } from '../../../auth/policy.ts';
import { momentArgument, type QueryArguments, queryArguments } from '../../../collections/query-arguments.ts';
import { callEngine, type RefusalFaults, unavailableWithoutEngine } from '../../../http/call-engine.ts';
import { ApiFault, EngineUnavailableError, invalidField } from '../../../http/faults/fault.ts';
import { describe } from '../../../openapi/route-schemas.ts';

const dayMs = 86_400_000;
/** Clocks of clients may be ahead by so much. */
const toleranceMs = 60_000;
const example = '2026-05-01T12:00:00Z';

const faults: RefusalFaults = {
  ...unavailableWithoutEngine,
  model_not_available: (message) => new ApiFault(503, `The past of the cluster is not available: ${message}`),
};

/** `GET /v1/cluster/past`: hosts with instances, allocations and loads at a moment, and at a later one or now. */
export function registerClusterPastRoute(app: FastifyInstance, deps: RouteDeps): void {
  const schema = describe({
    tag: 'data_model',
    operationId: 'get_cluster_past',
    summary: 'Hosts with instances, allocations and loads at two moments of the last weeks (extension)',
    query: {
      at: Type.String({
        format: 'date-time',
        description: `Time, ISO 8601 with offset, such as ${example}; at most ${clusterPastDays} days ago.`,
      }),
      to: Type.Optional(
        Type.String({
          format: 'date-time',
          description: 'Second time, not before `at`, in the same format. Default: now.',
        }),
      ),
    },
    response: 'ClusterPast',
    refusals: [503],
  });
  app.get('/v1/cluster/past', { schema }, async (request) => {
    const query = queryArguments(request, ['at', 'to']);
    authorize(deps.policy, request, 'data_model:past');
    const now = deps.clock.now();
    const at = pastMoment(query, 'at', now);
    if (at === undefined) throw invalidField('at', null, `Mandatory argument missing. A time such as ${example}.`);
    const to = pastMoment(query, 'to', now);
    if (to !== undefined && to < at) {
      const given = new Date(to).toISOString();
      throw invalidField('to', given, `It is before "at", ${new Date(at).toISOString()}.`);
    }
    const moments = { at_ms: at, ...(to === undefined ? {} : { to_ms: to }) };
    return complete(await callEngine(deps, clusterPast, moments, faults), to);
  });
}

/** Engines of earlier releases compare with now, and list no instances. */
function complete(past: ClusterPastResponse, to: number | undefined): ClusterPastResponse {
  if (to !== undefined && past.to === undefined)
    throw new EngineUnavailableError('The decision engine is of an earlier release, which compares with now only');
  return { ...past, to: past.to ?? past.model_taken_at, moved_instances: past.moved_instances ?? [] };
}

/** Milliseconds since 1970. @throws ApiFault 400 unless it is a time in the last weeks */
function pastMoment(query: QueryArguments, name: 'at' | 'to', nowMs: number): number | undefined {
  const at = momentArgument(query, name, { example });
  if (at === undefined) return undefined;
  const given = new Date(at).toISOString();
  if (at > nowMs + toleranceMs) throw invalidField(name, given, 'It is in the future.');
  const earliest = nowMs - clusterPastDays * dayMs;
  if (at < earliest) {
    const text = new Date(earliest).toISOString();
    throw invalidField(name, given, `It is more than ${clusterPastDays} days ago. The earliest moment is ${text}.`);
  }
  return Math.min(at, nowMs);
}
