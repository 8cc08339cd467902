import type { FastifyRequest } from 'fastify';
import type { JsonValue } from '#libs/domain';
import { isJsonObject, parseJson } from '../http/watcher-text/json-body.ts';

/** Fields whose text is shown. Other fields show only numbers, booleans and field names. */
const plainFields = new Set([
  'action_plan',
  'audit_template_uuid',
  'audit_type',
  'auto_trigger',
  'end_time',
  'force',
  'goal',
  'host',
  'interval',
  'kind',
  'name',
  'on_failure',
  'question',
  'start_time',
  'state',
  'strategy',
  'window_end',
  'window_start',
]);
const secretName = /pass|secret|token|key|credential|auth/i;
const maxLength = 300;
const maxValueLength = 60;

/**
 * Summary of a request body in one line, without secrets. Empty when the body has no content. States come first, and a
 * cut text ends with an ellipsis.
 */
export function summaryOf({ body }: Pick<FastifyRequest, 'body'>): string {
  if (!Buffer.isBuffer(body) || body.length === 0) return '';
  const parsed = parsedOrNull(body.toString('utf8'));
  const parts = Array.isArray(parsed) ? parsed.map(patchText) : isJsonObject(parsed) ? fieldTexts(parsed) : [];
  const text = [...parts.filter(isOfState), ...parts.filter((part) => !isOfState(part))].join(', ');
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}

function isOfState(part: string): boolean {
  return /^(state=|\w+ \/state(\/| |$))/.test(part);
}

/** Such as `replace /state CANCELLED`. */
function patchText(operation: JsonValue): string {
  if (!isJsonObject(operation)) return '';
  const path = typeof operation.path === 'string' ? operation.path : '';
  const value = operation.value === undefined ? '' : valueText(path.split('/').slice(1), operation.value);
  return [String(operation.op ?? ''), path, value].filter(Boolean).join(' ').slice(0, maxLength);
}

/** Such as `goal=server_consolidation`. */
function fieldTexts(body: Record<string, JsonValue>): string[] {
  return Object.entries(body).map(([name, value]) => `${name}=${valueText([name], value)}`);
}

function valueText(path: readonly string[], value: JsonValue): string {
  if (path.some((name) => secretName.test(name))) return '…';
  if (isJsonObject(value)) return `{${Object.keys(value).join(' ')}}`;
  if (Array.isArray(value)) return `[${value.length}]`;
  if (typeof value !== 'string') return String(value);
  const isPlain = path.length === 1 && plainFields.has(path[0] ?? '');
  return isPlain ? value.slice(0, maxValueLength) : '…';
}

function parsedOrNull(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
