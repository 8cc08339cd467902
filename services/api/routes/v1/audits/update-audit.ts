import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  AlreadyExistsError,
  type Audit,
  type AuditEvent,
  auditTypes,
  type JsonObject,
  type JsonValue,
} from '#libs/domain';
import type { AuditView } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { authorize } from '../../../auth/policy.ts';
import { getEntity } from '../../../collections/find-entity.ts';
import { badRequest, conflict, invalidField } from '../../../http/faults/fault.ts';
import { pythonText } from '../../../http/faults/notation.ts';
import { requireMatch } from '../../../http/request/etag.ts';
import { arrayField, objectField, textField, wrongType } from '../../../http/watcher-text/body-fields.ts';
import { checkInterval } from '../../../http/watcher-text/interval.ts';
import { checkTimes, naiveTimestamp, timeField } from '../../../http/watcher-text/timestamps.ts';
import { checkAuditParameters } from '../../../parameters/check-parameters.ts';
import { applyPatch } from '../../../patch/apply-patch.ts';
import {
  commonInternal,
  type PatchOperation,
  type PatchRules,
  patchFault,
  patchValueFault,
  readPatch,
} from '../../../patch/patch-operations.ts';
import { knownUser } from '../action-plans/approval/decide-approval.ts';
import { checkScope } from '../audit-templates/scope.ts';
import { intervalField } from './audit-input.ts';
import { auditEventsTo, isAuditState } from './audit-transitions.ts';
import { authorizeAutoTrigger, influencesPlans, lockAutoTrigger } from './auto-trigger.ts';
import { maxAuditName } from './create-audit.ts';
import { checkOppositeAudits, warn } from './opposite-audits.ts';

const rules: PatchRules = {
  internal: [...commonInternal, '/status_message', '/hostname', '/next_run_time'],
  mandatory: ['/name', '/audit_type', '/state', '/auto_trigger', '/force'],
};

type Changes = Partial<Omit<Audit, 'id' | 'uuid' | 'state' | 'createdAt' | 'updatedAt' | 'deletedAt' | 'deleted'>>;

/** `PATCH /v1/audits/{ident}`: attributes and state in one transaction. */
export async function updateAudit(
  deps: RouteDeps,
  request: FastifyRequest,
  ident: string,
  reply: FastifyReply,
): Promise<AuditView> {
  const patch = readPatch(request, rules);
  for (const operation of patch) {
    const isFixed = /^\/(audit_template_uuid|type)$/.test(operation.path);
    const isNoState = operation.path === '/state' && operation.value === null;
    if (isFixed || isNoState) throw patchValueFault(patch, fixedText(operation));
  }
  authorize(deps.policy, request, 'audit:update');
  const found = await getEntity(deps.store.db.audits, 'Audit', ident);
  const { result, warning } = await deps.store.transaction(async (unit) => {
    await requireMatch(request, unit, found.uuid, () => unit.audits.get(found.uuid));
    await lockAutoTrigger(unit, found.uuid);
    const audit = await unit.audits.get(found.uuid);
    const events = wantedEvents(patch, audit);
    const changes = await readChanges(deps, audit, applyPatch(documentOf(audit), patch));
    if (influencesPlans(changes, events)) {
      changes.requester = knownUser(request.caller);
      if (changes.autoTrigger ?? audit.autoTrigger) Object.assign(changes, authorizeAutoTrigger(deps.policy, request));
    }
    let result = audit;
    if (Object.keys(changes).length > 0)
      result = await unit.audits.update(audit.uuid, changes).catch(nameConflict(changes));
    for (const event of events) result = await unit.audits.transition(audit.uuid, event);
    const mayOppose = bringsOpposition(changes, events);
    return { result, warning: mayOppose ? await checkOppositeAudits(unit, result, deps.oppositeAudits()) : null };
  });
  warn(reply, warning);
  return result;
}

/** Whether a change gives the audit another aim or scope, or has it run. */
function bringsOpposition(changes: Changes, events: readonly AuditEvent[]): boolean {
  const { auditType, parameters, scope } = changes;
  const isStarted = events.includes('claim') || events.includes('resume');
  return isStarted || [auditType, parameters, scope].some((one) => one !== undefined);
}

function fixedText(operation: PatchOperation): string {
  return patchFault(operation, `${operation.path} can't be updated.`).message;
}

function nameConflict(changes: Changes) {
  return (error: unknown): never => {
    if (error instanceof AlreadyExistsError) {
      throw conflict(`An audit with UUID or name ${changes.name ?? ''} already exists`);
    }
    throw error;
  };
}

/** The document that a patch is applied to. `goal` and `strategy` can be named but have no effect, as in Watcher. */
function documentOf(audit: AuditView): JsonObject {
  return {
    name: audit.name,
    audit_type: audit.auditType,
    state: audit.state,
    parameters: audit.parameters,
    interval: audit.interval,
    scope: audit.scope,
    auto_trigger: audit.autoTrigger,
    force: audit.force,
    start_time: naiveTimestamp(audit.startTime),
    end_time: naiveTimestamp(audit.endTime),
    goal: audit.goalUuid,
    strategy: audit.strategyUuid,
  };
}

function wantedEvents(patch: readonly PatchOperation[], audit: AuditView): AuditEvent[] {
  const operation = patch.findLast(({ path }) => path === '/state');
  if (!operation || operation.op === 'remove') return [];
  const wanted = operation.value;
  const events = isAuditState(wanted) ? auditEventsTo(audit.state, wanted, operation.op) : null;
  if (events === null) {
    throw patchFault(patch, `State transition not allowed: (${audit.state} -> ${pythonText(wanted)})`);
  }
  return events;
}

async function readChanges(
  deps: RouteDeps,
  audit: AuditView,
  values: ReadonlyMap<string, JsonValue>,
): Promise<Changes> {
  const changes: Changes = {};
  const document = Object.fromEntries(values);
  for (const name of values.keys()) Object.assign(changes, readers[name]?.(document));
  const interval = changes.interval;
  if (typeof interval === 'string') checkInterval(interval);
  checkTimes(
    changes.startTime === undefined ? audit.startTime : changes.startTime,
    changes.endTime === undefined ? audit.endTime : changes.endTime,
  );
  if (changes.parameters) {
    const strategy = audit.strategyUuid ? await deps.store.db.strategies.find(audit.strategyUuid) : null;
    changes.parameters = checkAuditParameters(changes.parameters, strategy?.parametersSpec ?? null);
  }
  const different = onlyDifferent(audit, changes);
  if (different.autoTrigger !== undefined) different.automationLevel = null;
  return withoutOldSchedule(audit, different);
}

/** A new interval takes effect immediately: the decision engine computes the audit's next run from it. */
function withoutOldSchedule(audit: AuditView, changes: Changes): Changes {
  return changes.interval === undefined || audit.nextRunTime === null ? changes : { ...changes, nextRunTime: null };
}

const readers: Record<string, (document: JsonObject) => Changes> = {
  name: (document) => ({ name: requiredText(document, 'name').slice(0, maxAuditName) }),
  audit_type: (document) => {
    const wanted = requiredText(document, 'audit_type');
    const auditType = auditTypes.find((known) => known === wanted);
    if (!auditType) throw badRequest(`Audit type ${wanted} could not be found`);
    return { auditType };
  },
  parameters: (document) => ({ parameters: objectField(document, 'parameters') ?? {} }),
  interval: (document) => ({ interval: intervalField(document) }),
  scope: (document) => ({ scope: checkScope(arrayField(document, 'scope')) }),
  // A client of Watcher knows levels 1 and 3 only.
  auto_trigger: (document) => ({ autoTrigger: strictBoolean(document, 'auto_trigger') }),
  force: (document) => ({ force: strictBoolean(document, 'force') }),
  start_time: (document) => ({ startTime: timeField(document, 'start_time') }),
  end_time: (document) => ({ endTime: timeField(document, 'end_time') }),
};

function requiredText(document: JsonObject, name: string): string {
  const value = textField(document, name);
  if (value === null) throw invalidField(name, null, `Field \`${name}' cannot be None`);
  return value;
}

function strictBoolean(document: JsonObject, name: string): boolean {
  const value = document[name];
  if (typeof value === 'boolean') return value;
  throw wrongType(name, value, 'bool');
}

/** Drops unchanged values, so that `updated_at` reflects real changes only. */
function onlyDifferent(audit: AuditView, changes: Changes): Changes {
  const entries = Object.entries(changes).filter(
    ([name, value]) => JSON.stringify(audit[name as keyof Changes]) !== JSON.stringify(value),
  );
  return Object.fromEntries(entries);
}
