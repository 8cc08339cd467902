import type { FastifyRequest } from 'fastify';
import type { Goal, JsonObject } from '#libs/domain';
import type { AuditTemplateView, StrategyView } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { authorize } from '../../../auth/policy.ts';
import { findEntity } from '../../../collections/find-entity.ts';
import { badRequest, invalidField, notAcceptable } from '../../../http/faults/fault.ts';
import { canonicalUuid, pythonRepr } from '../../../http/faults/notation.ts';
import type { ClaimKey } from '../../../http/request/idempotency.ts';
import { arrayField, objectField, refuseUnknownAttributes, textField } from '../../../http/watcher-text/body-fields.ts';
import { requireJsonObject } from '../../../http/watcher-text/json-body.ts';
import { checkDefaultParameters } from '../../../parameters/check-parameters.ts';
import { checkScope, scopeViolationOfPost } from './scope.ts';

const argument = 'audit_template_postdata';
const attributes = new Set(['name', 'goal', 'description', 'strategy', 'scope', 'default_parameters']);

/** Longest name and description that the store keeps. */
const maxNameLength = 63;
const maxDescriptionLength = 255;

/** `POST /v1/audit_templates`. */
export async function createAuditTemplate(
  deps: RouteDeps,
  request: FastifyRequest,
  claim: ClaimKey,
): Promise<AuditTemplateView> {
  const body = requireJsonObject(request, argument);
  const input = readInput(body);
  authorize(deps.policy, request, 'audit_template:create');
  const goal = await requireGoal(deps, body, input.goal);
  const scope = checkScope(input.scope, { refuse: (text) => bodyFault(body, text), violation: scopeViolationOfPost });
  const strategy = await findStrategy(deps, body, input.strategy);
  if (strategy) await requireSameGoal(deps, body, strategy, goal);
  if (Object.keys(input.defaultParameters).length > 0 && request.microversion < 7) throw notAcceptable();
  checkDefaultParameters(input.defaultParameters, strategy?.parametersSpec ?? null);
  const uuid = deps.newUuid();
  return deps.store.transaction(async (unit) => {
    await claim(unit, uuid);
    return unit.auditTemplates.insert({
      uuid,
      name: input.name,
      description: input.description,
      goalId: goal.id,
      strategyId: strategy?.id ?? null,
      scope,
      defaultParameters: input.defaultParameters,
    });
  });
}

function readInput(body: JsonObject) {
  refuseUnknownAttributes(body, attributes, argument);
  const input = {
    name: textField(body, 'name'),
    description: textField(body, 'description'),
    goal: textField(body, 'goal'),
    strategy: textField(body, 'strategy') || null,
    scope: arrayField(body, 'scope'),
    defaultParameters: objectField(body, 'default_parameters', argument) ?? {},
  };
  const { name, goal } = input;
  const missing = ['name', 'goal'].find((mandatory) => body[mandatory] === undefined);
  if (missing !== undefined) throw invalidField(missing, null, 'Mandatory field missing.');
  if (goal === null) throw bodyFault(body, 'Goal None is invalid');
  if (name === null) throw invalidField('name', null, 'Mandatory field missing.');
  checkLengths(name, input.description);
  return { ...input, name, goal };
}

/** @throws ApiFault 400 for texts that are longer than the store keeps. */
export function checkLengths(name: string, description: string | null): void {
  if (name.length > maxNameLength) {
    throw invalidField('name', name, `Value should have at most ${maxNameLength} characters`);
  }
  if (description !== null && description.length > maxDescriptionLength) {
    throw invalidField('description', description, `Value should have at most ${maxDescriptionLength} characters`);
  }
}

async function requireGoal(deps: RouteDeps, body: JsonObject, ident: string): Promise<Goal> {
  const goal = await deps.store.db.goals.find(canonicalUuid(ident) ?? ident);
  if (!goal) throw bodyFault(body, `Goal ${ident} is invalid`);
  return goal;
}

async function findStrategy(deps: RouteDeps, body: JsonObject, ident: string | null): Promise<StrategyView | null> {
  if (ident === null) return null;
  const strategy = await findEntity(deps.store.db.strategies, ident);
  if (!strategy) throw bodyFault(body, `Strategy ${ident} is invalid`);
  return strategy;
}

async function requireSameGoal(deps: RouteDeps, body: JsonObject, strategy: StrategyView, goal: Goal): Promise<void> {
  if (strategy.goalId !== goal.id) throw bodyFault(body, await otherGoalText(deps, strategy.name, goal));
}

/** Text for a strategy that does not serve the goal, with the strategies that do. */
export async function otherGoalText(
  deps: RouteDeps,
  strategyName: string,
  goal: { id: number; name: string },
): Promise<string> {
  const choices = await deps.store.db.strategies.list({ filters: [{ field: 'goalId', value: goal.id }] });
  const shown = choices.map((choice) => `'${choice.uuid}' (${choice.name})`).join(', ');
  return `'${strategyName}' strategy does not relate to the '${goal.name}' goal. Possible choices: ${shown}`;
}

function bodyFault(body: JsonObject, text: string) {
  return badRequest(`Invalid input for field/attribute ${argument}. Value: '${pythonRepr(body)}'. ${text}`);
}
