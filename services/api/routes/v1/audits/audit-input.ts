import { type AuditType, type AutomationLevel, auditTypes, type JsonObject, type JsonValue } from '#libs/domain';
import { badRequest, invalidField, notAcceptable } from '../../../http/faults/fault.ts';
import { canonicalUuid, pythonText } from '../../../http/faults/notation.ts';
import {
  booleanField,
  objectField,
  refuseUnknownAttributes,
  textField,
  unconvertible,
} from '../../../http/watcher-text/body-fields.ts';
import { maxIntervalLength } from '../../../http/watcher-text/interval.ts';
import { checkTimes, timeField } from '../../../http/watcher-text/timestamps.ts';
import { readLevel } from './automation-routes.ts';

const argument = 'audit_p';
const attributes = new Set([
  'audit_type',
  'audit_template_uuid',
  'goal',
  'strategy',
  'name',
  'parameters',
  'interval',
  'auto_trigger',
  'start_time',
  'end_time',
  'force',
  'automation_level',
]);
const readOnly = ['state', 'scope', 'hostname'];

/** The body of `POST /v1/audits`, converted but not yet validated. */
export interface AuditInput {
  auditType: string | null;
  templateUuid: string | null;
  goal: string | null;
  strategy: string | null;
  name: string | null;
  /** Null when the client sent null, which differs from absent: the strategy then applies its defaults. */
  parameters: JsonObject | null;
  /** As sent. `intervalField` refuses a value that is not text, after the other checks. */
  interval: JsonValue;
  /** True with an automation level that starts plans. */
  autoTrigger: boolean;
  /** Null: by `autoTrigger`. */
  automationLevel: AutomationLevel | null;
  startTime: Date | null;
  endTime: Date | null;
  force: boolean;
}

/** @throws ApiFault 400 for unknown and read-only attributes and for values of the wrong type. */
export function readAuditInput(body: JsonObject): AuditInput {
  const blocked = readOnly.find((name) => Object.hasOwn(body, name));
  if (blocked !== undefined) throw invalidField(blocked, body[blocked], 'Cannot set read only field.');
  refuseUnknownAttributes(body, attributes, argument);
  if (body.audit_type === undefined) throw invalidField('audit_type', null, 'Mandatory field missing.');
  return {
    auditType: textField(body, 'audit_type'),
    templateUuid: uuidField(body, 'audit_template_uuid'),
    goal: textField(body, 'goal') || null,
    strategy: textField(body, 'strategy') || null,
    name: textField(body, 'name') || null,
    parameters: body.parameters === undefined ? {} : objectField(body, 'parameters', argument),
    interval: body.interval ?? null,
    ...automationOf(body),
    startTime: timeField(body, 'start_time', argument),
    endTime: timeField(body, 'end_time', argument),
    force: booleanField(body, 'force', argument),
  };
}

/** @throws ApiFault 400 when `auto_trigger` and `automation_level` contradict each other. */
function automationOf(body: JsonObject): Pick<AuditInput, 'autoTrigger' | 'automationLevel'> {
  const autoTrigger = booleanField(body, 'auto_trigger', argument);
  const given = body.automation_level ?? null;
  if (given === null) return { autoTrigger, automationLevel: null };
  const automationLevel = readLevel('automation_level', given);
  const starts = automationLevel >= 2;
  if (body.auto_trigger !== undefined && body.auto_trigger !== null && autoTrigger !== starts) {
    throw invalidField('automation_level', given, `It contradicts auto_trigger ${autoTrigger}`);
  }
  return { autoTrigger: starts, automationLevel };
}

/** Validates the input alone, in Watcher's order. @throws ApiFault 400, 406. */
export function checkAuditInput(
  input: AuditInput,
  minor: number,
): asserts input is AuditInput & { auditType: AuditType } {
  const { auditType, interval, startTime, endTime } = input;
  if (!auditTypes.some((known) => known === auditType))
    throw badRequest(`Audit type ${pythonText(auditType)} could not be found`);
  if (!input.templateUuid && !input.goal) throw badRequest('A valid goal or audit_template_id must be provided');
  if (input.templateUuid && input.goal) throw badRequest('Either audit_template_uuid or goal should be provided.');
  const hasTimes = startTime !== null || endTime !== null;
  if (auditType === 'ONESHOT' && interval !== null) throw badRequest('Interval of audit must not be set for ONESHOT.');
  if (auditType === 'CONTINUOUS' && interval === null) {
    throw badRequest('Interval of audit must be specified for CONTINUOUS.');
  }
  if (auditType === 'ONESHOT' && hasTimes) {
    throw badRequest('Start or End time of audit must not be set for ONESHOT.');
  }
  if (hasTimes && minor < 1) throw notAcceptable();
  checkTimes(startTime, endTime);
}

/** The interval as text. Null when absent or null. */
export function intervalField(body: JsonObject): string | null {
  const interval = textField(body, 'interval');
  if (interval !== null && interval.length > maxIntervalLength) {
    throw invalidField('interval', interval, `Value should have at most ${maxIntervalLength} characters`);
  }
  return interval;
}

function uuidField(body: JsonObject, name: string): string | null {
  const value = body[name] ?? null;
  if (value === null) return null;
  const uuid = typeof value === 'string' ? canonicalUuid(value) : null;
  if (uuid === null) throw unconvertible(body, name, `Expected a uuid but received ${pythonText(value)}`, argument);
  return uuid;
}
