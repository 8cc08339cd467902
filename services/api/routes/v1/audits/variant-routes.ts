import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type CurvePoint, NotFoundError } from '#libs/domain';
import { auditPlan } from '#libs/messaging';
import type { ActionPlanView, AuditView } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { authorize } from '../../../auth/policy.ts';
import { queryArguments } from '../../../collections/query-arguments.ts';
import { authorizedRow, showOne } from '../../../collections/register-collection.ts';
import { callEngine, unavailableWithoutEngine } from '../../../http/call-engine.ts';
import { conflict, invalidField } from '../../../http/faults/fault.ts';
import { snakeCaseKeys } from '../../../http/faults/notation.ts';
import { refuseUnknownOptions } from '../../../http/watcher-text/body-fields.ts';
import { requireJsonObject } from '../../../http/watcher-text/json-body.ts';
import { describe } from '../../../openapi/route-schemas.ts';
import { component } from '../../../openapi/shared-schemas.ts';
import { knownUser } from '../action-plans/approval/decide-approval.ts';
import { createActionPlanResource } from '../action-plans/resource.ts';
import type { PreviewTurns } from './preview-turns.ts';
import { createAuditResource } from './resource.ts';

type WithIdent = { Params: { ident: string } };
const tag = 'audits';
const params = { ident: 'Uuid or name.' };
const argument = 'audit_plan';

/** Plans of several sizes that the last run of an audit found, and planning another of them. */
export function registerAuditVariants(app: FastifyInstance, deps: RouteDeps, turns: PreviewTurns): void {
  const audits = createAuditResource(deps);
  const plans = createActionPlanResource(deps);
  const listSchema = describe({
    tag,
    operationId: 'get_audit_variants',
    summary: 'Gains of plans of several sizes, from the last run (extension)',
    params,
    response: 'AuditVariants',
    refusals: [404],
  });
  app.get<WithIdent>('/v1/audits/:ident/variants', { schema: listSchema }, async (request) => {
    authorize(deps.policy, request, 'action_plan:get_all');
    const audit = await authorizedRow(deps, audits, request, 'audit:get');
    return { audit_uuid: audit.uuid, variants: await variantsOf(deps, audit) };
  });
  const planSchema = describe({
    tag,
    operationId: 'plan_audit_variant',
    summary: 'Create a plan of another size on the newest model; starting a plan cancels the other sizes (extension)',
    params,
    body: component('AuditPlanRequest'),
    response: 'ActionPlan',
    status: 201,
    refusals: [404, 409, 415, 500, 503],
  });
  app.post<WithIdent>('/v1/audits/:ident/plan', { schema: planSchema }, async (request, reply) => {
    queryArguments(request);
    authorize(deps.policy, request, 'action_plan:get');
    const audit = await authorizedRow(deps, audits, request, 'audit:create');
    const moves = movesField(request);
    const { budget } = pointFor(audit, moves);
    // The plan is stored whether or not the client waits for it.
    const made = await turns.run(request, reply, ({ requester }) => planPoint(deps, audit, budget, requester));
    const plan = await deps.store.db.actionPlans.update(made.uuid, { requester: knownUser(request.caller) });
    reply.code(201).header('Location', `${request.base.app}/v1/action_plans/${plan.uuid}`);
    return showOne(plans, request, plan);
  });
}

const curveOf = ({ report }: AuditView): CurvePoint[] => report?.curve ?? [];

async function variantsOf({ store }: RouteDeps, audit: AuditView): Promise<object[]> {
  const made = await store.db.actionPlans.list({ filters: [{ field: 'auditId', value: audit.id }] });
  const points = await store.db.planObjectives.onCurve(made.map(({ id }) => id));
  return curveOf(audit).map((point) => ({
    ...(snakeCaseKeys(point) as object),
    action_plans: made
      .filter(({ id }) => points.some(({ actionPlanId, budget }) => actionPlanId === id && budget === point.budget))
      .map(({ uuid, state }) => ({ uuid, state })),
  }));
}

function movesField(request: FastifyRequest): number {
  const body = requireJsonObject(request, argument);
  refuseUnknownOptions(body, ['moves'], argument);
  const { moves = null } = body;
  if (Number.isInteger(moves)) return moves as number;
  throw invalidField('moves', moves, 'A whole number of migrations, as on the curve of the audit.');
}

/** The point with this number of migrations: by its allowed number, else by its actual number. */
function pointFor(audit: AuditView, moves: number): CurvePoint {
  const curve = curveOf(audit);
  const point = curve.find(({ budget }) => budget === moves) ?? curve.find((one) => one.moves === moves);
  if (point) return point;
  const known = curve.map(({ budget, moves: has }) => (budget === 0 ? has : budget));
  const reason =
    known.length === 0
      ? 'The last run of the audit found no plans of several sizes.'
      : `The curve of the audit has points at ${known.join(', ')}.`;
  throw invalidField('moves', moves, reason);
}

async function planPoint(
  deps: RouteDeps,
  audit: AuditView,
  budget: number,
  requester: string,
): Promise<ActionPlanView> {
  const rpcRequest = { audit_uuid: audit.uuid, budget };
  const faults = {
    ...unavailableWithoutEngine,
    audit_not_found: () => new NotFoundError('Audit', audit.uuid),
    conflict,
    // A point without remaining actions is not a failure of the service.
    strategy_failed: conflict,
  };
  const { action_plan_uuid: uuid } = await callEngine(deps, auditPlan, rpcRequest, faults, { requester });
  return deps.store.db.actionPlans.get(uuid);
}
