import type { FastifyInstance } from 'fastify';
import { clusterWhatIf } from '#libs/messaging';
import type { RouteDeps } from '../../../api-deps.ts';
import { authorize } from '../../../auth/policy.ts';
import { queryArguments } from '../../../collections/query-arguments.ts';
import { callEngine, type RefusalFaults, unavailableWithoutEngine } from '../../../http/call-engine.ts';
import { ApiFault } from '../../../http/faults/fault.ts';
import { requireJsonObject } from '../../../http/watcher-text/json-body.ts';
import { describe } from '../../../openapi/route-schemas.ts';
import { component } from '../../../openapi/shared-schemas.ts';
import type { PreviewTurns } from '../audits/preview-turns.ts';
import { readWhatIf, whatIfArgument } from './read-what-if.ts';

const faults: RefusalFaults = {
  ...unavailableWithoutEngine,
  model_not_available: (message) => new ApiFault(503, `The cluster data model is not available: ${message}`),
  time_limit: (message) => new ApiFault(503, message),
  flavor_not_found: (message) => new ApiFault(404, message),
};

/** `POST /v1/what_if`: the effects of a change of the cloud that is not made. Users take turns as for previews. */
export function registerWhatIfRoutes(app: FastifyInstance, deps: RouteDeps, turns: PreviewTurns): void {
  const schema = describe({
    tag: 'data_model',
    operationId: 'what_if',
    summary: 'Effects of lost, added or emptied hosts, further instances, or other ratios; changes nothing (extension)',
    body: component('WhatIfRequest'),
    response: 'WhatIf',
    refusals: [404, 415, 500, 503],
  });
  app.post('/v1/what_if', { schema }, async (request, reply) => {
    queryArguments(request);
    authorize(deps.policy, request, 'data_model:what_if');
    const question = readWhatIf(requireJsonObject(request, whatIfArgument), request.caller.projectId ?? '');
    return turns.run(request, reply, (options) => callEngine(deps, clusterWhatIf, question, faults, options));
  });
}
