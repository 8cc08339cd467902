import type { FastifyRequest } from 'fastify';
import type { AuditTemplate, JsonObject, JsonValue } from '#libs/domain';
import type { AuditTemplateView, UnitOfWork } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { authorize } from '../../../auth/policy.ts';
import { getEntity } from '../../../collections/find-entity.ts';
import { badRequest, conflict, invalidField, notAcceptable } from '../../../http/faults/fault.ts';
import { canonicalUuid } from '../../../http/faults/notation.ts';
import { requireMatch } from '../../../http/request/etag.ts';
import { arrayField, objectField, textField } from '../../../http/watcher-text/body-fields.ts';
import { checkDefaultParameters } from '../../../parameters/check-parameters.ts';
import { applyPatch } from '../../../patch/apply-patch.ts';
import {
  commonInternal,
  firstSegment,
  type PatchOperation,
  type PatchRules,
  patchValueFault,
  readPatch,
} from '../../../patch/patch-operations.ts';
import { checkLengths, otherGoalText } from './create-audit-template.ts';
import { checkScope } from './scope.ts';

const rules: PatchRules = {
  internal: commonInternal,
  mandatory: ['/name'],
  check: ({ op, path }) => {
    if (op === 'remove' && path === '/goal') throw badRequest("Cannot remove 'goal' attribute from an audit template");
  },
};

type Changes = Partial<
  Pick<AuditTemplate, 'name' | 'description' | 'scope' | 'goalId' | 'strategyId' | 'defaultParameters'>
>;

/** `PATCH /v1/audit_templates/{ident}`. */
export async function updateAuditTemplate(
  deps: RouteDeps,
  request: FastifyRequest,
  ident: string,
): Promise<AuditTemplateView> {
  const patch = readPatch(request, rules);
  authorize(deps.policy, request, 'audit_template:update');
  const found = await getEntity(deps.store.db.auditTemplates, 'AuditTemplate', ident);
  return deps.store.transaction((unit) => update(deps, request, unit, found.uuid, patch));
}

async function update(
  deps: RouteDeps,
  request: FastifyRequest,
  unit: UnitOfWork,
  uuid: string,
  patch: readonly PatchOperation[],
): Promise<AuditTemplateView> {
  await requireMatch(request, unit, uuid, () => unit.auditTemplates.get(uuid));
  const template = await unit.auditTemplates.get(uuid);
  const touched = new Set(patch.map(({ path }) => firstSegment(path)));
  if (touched.has('default_parameters') && request.microversion < 7) throw notAcceptable();
  requireNewDefaults(template, touched);
  const values = applyPatch(documentOf(template), patch);
  const changes = await readChanges(deps, patch, template, values);
  return Object.keys(changes).length === 0 ? template : unit.auditTemplates.update(uuid, changes);
}

function documentOf(template: AuditTemplateView): JsonObject {
  return {
    name: template.name,
    description: template.description,
    scope: template.scope,
    default_parameters: template.defaultParameters,
    goal: template.goalUuid,
    strategy: template.strategyUuid,
  };
}

/** Default parameters belong to a strategy. A change of goal or strategy must also set or remove them. */
function requireNewDefaults(template: AuditTemplateView, touched: ReadonlySet<string>): void {
  if (Object.keys(template.defaultParameters).length === 0 || touched.has('default_parameters')) return;
  if (touched.has('goal') || touched.has('strategy')) {
    throw conflict(
      'Updating goal or strategy on a template that has default_parameters requires providing updated default_parameters in the same request',
    );
  }
}

async function readChanges(
  deps: RouteDeps,
  patch: readonly PatchOperation[],
  template: AuditTemplateView,
  values: ReadonlyMap<string, JsonValue>,
): Promise<Changes> {
  const document = Object.fromEntries(values);
  const changes: Changes = plainChanges(document);
  await changeGoalAndStrategy(deps, patch, template, document, changes);
  if (changes.defaultParameters || values.has('strategy')) {
    const strategyId = changes.strategyId === undefined ? template.strategyId : changes.strategyId;
    const spec = await specOf(deps, strategyId);
    checkDefaultParameters(changes.defaultParameters ?? template.defaultParameters, spec);
  }
  return changes;
}

function plainChanges(document: JsonObject): Changes {
  const changes: Changes = {};
  if ('name' in document) {
    const name = textField(document, 'name');
    if (name === null) throw invalidField('name', null, 'Mandatory field missing.');
    changes.name = name;
  }
  if ('description' in document) changes.description = textField(document, 'description');
  checkLengths(changes.name ?? '', changes.description ?? null);
  if ('scope' in document) changes.scope = checkScope(arrayField(document, 'scope'));
  if ('default_parameters' in document) {
    changes.defaultParameters = objectField(document, 'default_parameters') ?? {};
  }
  return changes;
}

async function changeGoalAndStrategy(
  deps: RouteDeps,
  patch: readonly PatchOperation[],
  template: AuditTemplateView,
  document: JsonObject,
  changes: Changes,
): Promise<void> {
  let goal = { id: template.goalId, name: template.goalName };
  const wantedGoal = textField(document, 'goal');
  if (wantedGoal) {
    const found = await deps.store.db.goals.find(canonicalUuid(wantedGoal) ?? wantedGoal);
    if (!found) throw patchValueFault(patch, `Goal ${wantedGoal} is invalid`);
    goal = found;
    changes.goalId = found.id;
  }
  const wantedStrategy = 'strategy' in document ? textField(document, 'strategy') : template.strategyUuid;
  if ('strategy' in document && !wantedStrategy) changes.strategyId = null;
  if (!wantedStrategy || !('strategy' in document || wantedGoal)) return;
  const strategy = await deps.store.db.strategies.find(canonicalUuid(wantedStrategy) ?? wantedStrategy);
  if (!strategy) throw patchValueFault(patch, `Strategy ${wantedStrategy} is invalid`);
  if (strategy.goalId !== goal.id) throw patchValueFault(patch, await otherGoalText(deps, strategy.name, goal));
  changes.strategyId = strategy.id;
}

async function specOf(deps: RouteDeps, strategyId: number | null): Promise<JsonObject | null> {
  if (strategyId === null) return null;
  const [strategy] = await deps.store.db.strategies.list({ filters: [{ field: 'id', value: strategyId }], limit: 1 });
  return strategy?.parametersSpec ?? null;
}
