import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  type AuditScope,
  type AuditType,
  auditTypes,
  type JsonObject,
  type JsonValue,
  quantityChanges,
} from '#libs/domain';
import { type AuditPreviewResponse, auditCompare, auditPreview, type CallOptions, isRefusal } from '#libs/messaging';
import type { StrategyView } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { authorize } from '../../../auth/policy.ts';
import { getEntity } from '../../../collections/find-entity.ts';
import { queryArguments } from '../../../collections/query-arguments.ts';
import { callEngine, unavailableWithoutEngine } from '../../../http/call-engine.ts';
import { badRequest, invalidField } from '../../../http/faults/fault.ts';
import { snakeCaseKeys } from '../../../http/faults/notation.ts';
import { arrayField, objectField, refuseUnknownOptions, textField } from '../../../http/watcher-text/body-fields.ts';
import { isJsonObject, requireJsonObject } from '../../../http/watcher-text/json-body.ts';
import { describe } from '../../../openapi/route-schemas.ts';
import { component } from '../../../openapi/shared-schemas.ts';
import { checkAuditParameters } from '../../../parameters/check-parameters.ts';
import { sideEffectsBody } from '../../../views/action-plan-body.ts';
import { otherGoalText } from '../audit-templates/create-audit-template.ts';
import { checkScope } from '../audit-templates/scope.ts';
import type { PreviewTurns } from './preview-turns.ts';

const tag = 'audits';
const previewArgument = 'audit_preview';
const compareArgument = 'audit_compare';
/** Strategies (or sets of parameters) that one request may compare. */
const maxCompared = 10;

/** Dry runs of strategies, alone or against each other. Nothing is stored. */
export function registerAuditPreviews(app: FastifyInstance, deps: RouteDeps, turns: PreviewTurns): void {
  const previewSchema = describe({
    tag,
    operationId: 'preview_audit',
    summary: 'Preview of the plan of an audit; nothing is stored (extension)',
    body: component('AuditPreviewRequest'),
    response: 'AuditPreview',
    refusals: [404, 415, 500, 503],
  });
  app.post('/v1/audits/preview', { schema: previewSchema }, async (request, reply) => {
    queryArguments(request);
    return previewBody(await turns.run(request, reply, (options) => preview(deps, request, options)));
  });
  const compareSchema = describe({
    tag,
    operationId: 'compare_audits',
    summary: 'Preview of the plans of several strategies of a goal, on the same model of the cloud (extension)',
    body: component('AuditCompareRequest'),
    response: 'AuditComparison',
    refusals: [404, 415, 500, 503],
  });
  app.post('/v1/audits/compare', { schema: compareSchema }, async (request, reply) => {
    queryArguments(request);
    return turns.run(request, reply, (options) => compare(deps, request, options));
  });
}

async function preview(deps: RouteDeps, request: FastifyRequest, options: CallOptions): Promise<AuditPreviewResponse> {
  const body = requireJsonObject(request, previewArgument);
  refuseUnknownOptions(body, ['goal', 'strategy', 'parameters', 'scope', 'audit_type'], previewArgument);
  const given = { goal: goalField(body), strategy: textField(body, 'strategy') || null };
  const parameters = objectField(body, 'parameters') ?? {};
  const scope = scopeField(body);
  const auditType = auditTypeField(body);
  authorizePreview(deps, request);
  const goal = await getEntity(deps.store.db.goals, 'Goal', given.goal);
  const strategy = given.strategy === null ? null : await findStrategy(deps, given.strategy, goal);
  const checked = strategy === null ? parameters : checkAuditParameters(parameters, strategy.parametersSpec);
  const rpcRequest = {
    goal: goal.name,
    strategy: strategy?.name ?? null,
    parameters: checked,
    scope,
    audit_type: auditType,
  };
  return callEngine(deps, auditPreview, rpcRequest, unavailableWithoutEngine, options);
}

async function compare(deps: RouteDeps, request: FastifyRequest, options: CallOptions): Promise<object> {
  const body = requireJsonObject(request, compareArgument);
  refuseUnknownOptions(body, ['goal', 'strategies', 'scope'], compareArgument);
  const goalIdent = goalField(body);
  const candidates = candidatesField(body);
  const scope = scopeField(body);
  authorizePreview(deps, request);
  const goal = await getEntity(deps.store.db.goals, 'Goal', goalIdent);
  const strategies: { name: string; parameters: JsonObject }[] = [];
  for (const { name, parameters } of candidates) {
    const strategy = await findStrategy(deps, name, goal);
    strategies.push({ name: strategy.name, parameters: checkAuditParameters(parameters, strategy.parametersSpec) });
  }
  const rpcRequest = { goal: goal.name, strategies, scope };
  const { results } = await callEngine(deps, auditCompare, rpcRequest, unavailableWithoutEngine, options);
  return {
    results: results.map((result) =>
      isRefusal(result)
        ? { strategy: result.strategy, error: result.error, preview: null }
        : { strategy: result.strategy, error: null, preview: previewBody(result) },
    ),
  };
}

/** A preview shows actions and hosts, so it requires the permission to read them. */
function authorizePreview(deps: RouteDeps, request: FastifyRequest): void {
  for (const rule of ['audit:create', 'action:get_all', 'data_model:get_all']) authorize(deps.policy, request, rule);
}

/** Parameters keep their names. The engine's report is converted into the API's notation. */
function previewBody({ reserve, ...rest }: AuditPreviewResponse): object {
  return {
    ...rest,
    actions: rest.actions.map((action) => ({ ...action, reason: snakeCaseKeys(action.reason) })),
    report: snakeCaseKeys(rest.report),
    hosts: snakeCaseKeys(rest.hosts),
    side_effects: sideEffectsBody(quantityChanges(rest.hosts)),
    reserve_changes: reserve ?? null,
    unplaced: snakeCaseKeys(rest.unplaced),
  };
}

function goalField(body: JsonObject): string {
  const goal = textField(body, 'goal');
  if (!goal) throw invalidField('goal', goal, 'Mandatory field missing.');
  return goal;
}

function auditTypeField(body: JsonObject): AuditType {
  const given = textField(body, 'audit_type') ?? 'ONESHOT';
  const type = auditTypes.find((known) => known === given);
  if (!type) throw invalidField('audit_type', given, `Must be one of ${auditTypes.join(', ')}.`);
  return type;
}

function scopeField(body: JsonObject): AuditScope {
  return checkScope(arrayField(body, 'scope'));
}

function candidatesField(body: JsonObject): { name: string; parameters: JsonObject }[] {
  const list = arrayField(body, 'strategies');
  if (!list || list.length === 0 || list.length > maxCompared) {
    throw invalidField('strategies', list, `Between 1 and ${maxCompared} strategies must be given.`);
  }
  return list.map(readCandidate);
}

function readCandidate(value: JsonValue): { name: string; parameters: JsonObject } {
  if (typeof value === 'string') return { name: value, parameters: {} };
  if (!isJsonObject(value)) throw invalidField('strategies', value, 'A strategy is a text or an object.');
  refuseUnknownOptions(value, ['strategy', 'parameters'], compareArgument);
  const name = textField(value, 'strategy');
  if (!name) throw invalidField('strategy', name, 'Mandatory field missing.');
  return { name, parameters: objectField(value, 'parameters') ?? {} };
}

async function findStrategy(deps: RouteDeps, ident: string, goal: { id: number; name: string }): Promise<StrategyView> {
  const strategy = await getEntity(deps.store.db.strategies, 'Strategy', ident);
  if (strategy.goalId !== goal.id) throw badRequest(await otherGoalText(deps, strategy.name, goal));
  return strategy;
}
