import type { Goal, IndicatorSpecification, JsonObject, JsonValue, Strategy } from '#libs/domain';
import type { ActionPlanView, ActionView, AuditView, ServiceView } from '#libs/store';

const secretKey = /pass(word|wd)?$|secret|token|credential|api_?key|private_?key/i;
const secretText = /\b(pass(?:word|wd)?|secret|token|api_?key)(["']?\s*[=:]\s*["']?)[^\s"',;&]+/gi;
const mask = '***';

/** Change of state, sent with the entity. Nulls when the state did not change. */
export interface StateUpdate {
  oldState: string | null;
  state: string | null;
  statusMessage: string | null;
}

/** Entities that payloads are nested with. */
export interface Related {
  goal: Goal;
  strategy: Strategy | null;
}

/** Watcher's wrapper of a versioned object. */
function versioned(name: string, version: string, data: JsonObject): JsonObject {
  return {
    'watcher_object.name': name,
    'watcher_object.namespace': 'watcher',
    'watcher_object.version': version,
    'watcher_object.data': data,
  };
}

/** ISO 8601 in whole seconds, UTC. */
function time(at: Date | null): string | null {
  return at === null ? null : `${at.toISOString().slice(0, 19)}Z`;
}

function times(row: { createdAt: Date; updatedAt: Date | null; deletedAt: Date | null }): JsonObject {
  return { created_at: time(row.createdAt), updated_at: time(row.updatedAt), deleted_at: time(row.deletedAt) };
}

function masked(text: string | null): string | null {
  return text === null ? null : maskText(text);
}

/** @param kind `Audit`, `ActionPlan` or `Action` */
function stateUpdate(kind: string, { oldState, state, statusMessage }: StateUpdate): JsonObject {
  return versioned(`${kind}StateUpdatePayload`, '1.1', {
    old_state: oldState,
    state,
    status_message: masked(statusMessage),
  });
}

/** The error of a phase that failed. */
function fault(functionName: string, exception: string, text: string | null): JsonObject {
  return versioned('ExceptionPayload', '1.0', {
    module_name: 'vigil',
    function_name: functionName,
    exception,
    exception_message: maskText(text ?? ''),
  });
}

function goalPayload(goal: Goal): JsonObject {
  return versioned('GoalPayload', '1.0', {
    uuid: goal.uuid,
    name: goal.name,
    display_name: goal.displayName,
    efficacy_specification: goal.efficacySpecification.map((entry: IndicatorSpecification) => ({ ...entry })),
    ...times(goal),
  });
}

function strategyPayload(strategy: Strategy): JsonObject {
  return versioned('StrategyPayload', '1.0', {
    uuid: strategy.uuid,
    name: strategy.name,
    display_name: strategy.displayName,
    parameters_spec: strategy.parametersSpec,
    ...times(strategy),
  });
}

function terseAudit(audit: AuditView): JsonObject {
  return {
    uuid: audit.uuid,
    name: audit.name,
    audit_type: audit.auditType,
    state: audit.state,
    parameters: maskSecrets(audit.parameters),
    interval: audit.interval,
    scope: audit.scope,
    goal_uuid: audit.goalUuid,
    strategy_uuid: audit.strategyUuid,
    auto_trigger: audit.autoTrigger,
    next_run_time: time(audit.nextRunTime),
    status_message: masked(audit.statusMessage),
    ...times(audit),
  };
}

function audit(row: AuditView, related: Related): JsonObject {
  return {
    ...terseAudit(row),
    goal: goalPayload(related.goal),
    strategy: related.strategy && strategyPayload(related.strategy),
  };
}

function tersePlan(plan: ActionPlanView): JsonObject {
  return {
    uuid: plan.uuid,
    state: plan.state,
    global_efficacy: plan.globalEfficacy.map((entry) => ({ ...entry })),
    audit_uuid: plan.auditUuid,
    strategy_uuid: plan.strategyUuid,
    status_message: masked(plan.statusMessage),
    ...times(plan),
  };
}

function plan(row: ActionPlanView, of: { audit: AuditView; strategy: Strategy }): JsonObject {
  return {
    ...tersePlan(row),
    audit: versioned('TerseAuditPayload', '1.3', terseAudit(of.audit)),
    strategy: strategyPayload(of.strategy),
  };
}

function action(row: ActionView, of: ActionPlanView): JsonObject {
  return {
    uuid: row.uuid,
    action_type: row.actionType,
    input_parameters: maskSecrets(row.inputParameters),
    state: row.state,
    parents: row.parents,
    action_plan_uuid: row.actionPlanUuid,
    action_plan: versioned('TerseActionPlanPayload', '1.2', tersePlan(of)),
    status_message: masked(row.statusMessage),
    ...times(row),
  };
}

/** Part of a payload in addition to the entity. */
export type Beside = { kind: 'plain' } | { kind: 'update'; update: StateUpdate } | { kind: 'phase'; failedIn?: string };

/** `AuditCreatePayload`, `AuditUpdatePayload`, `AuditActionPayload` and so on. */
export function auditPayload(name: string, row: AuditView, related: Related, beside: Beside): JsonObject {
  return versioned(name, '1.2', {
    ...audit(row, related),
    ...extra('Audit', 'AuditFailed', row.statusMessage, beside),
  });
}

/** `ActionPlanCreatePayload` and so on. */
export function planPayload(
  name: string,
  row: ActionPlanView,
  of: { audit: AuditView; strategy: Strategy },
  beside: Beside,
): JsonObject {
  const more = extra('ActionPlan', 'ActionPlanFailed', row.statusMessage, beside);
  return versioned(name, '1.2', { ...plan(row, of), ...more });
}

/** `ActionCreatePayload` and so on. */
export function actionPayload(name: string, row: ActionView, of: ActionPlanView, beside: Beside): JsonObject {
  const more = extra('Action', 'ActionExecutionFailure', row.statusMessage, beside);
  return versioned(name, '1.1', { ...action(row, of), ...more });
}

/** `ServiceUpdatePayload`. The misspelled key is Watcher's. */
export function servicePayload(service: ServiceView, oldStatus: string): JsonObject {
  return versioned('ServiceUpdatePayload', '1.0', {
    sevice_host: service.host,
    name: service.name,
    last_seen_up: time(service.lastSeenUp),
    status_update: versioned('ServiceStatusUpdatePayload', '1.0', { old_state: oldStatus, state: service.status }),
  });
}

function extra(kind: string, exception: string, text: string | null, beside: Beside): JsonObject {
  if (beside.kind === 'update') return { state_update: stateUpdate(kind, beside.update) };
  if (beside.kind === 'plain') return {};
  const value: JsonValue = beside.failedIn === undefined ? null : fault(beside.failedIn, exception, text);
  return { fault: value };
}

/** The same object with the values of keys that sound like secrets masked, at any depth. */
function maskSecrets(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, secretKey.test(key) && inner !== null ? mask : maskValue(inner)]),
  );
}

function maskValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(maskValue);
  if (typeof value === 'string') return maskText(value);
  return typeof value === 'object' && value !== null ? maskSecrets(value) : value;
}

/** A text without the values of `password=` and similar keys. */
function maskText(text: string): string {
  return text.replace(secretText, `$1$2${mask}`);
}
