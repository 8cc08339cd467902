import type { JsonObject, JsonValue } from '#libs/domain';
import { invalidField } from '../http/faults/fault.ts';
import { wrongType } from '../http/watcher-text/body-fields.ts';
import { isJsonObject } from '../http/watcher-text/json-body.ts';

/** The part of a notification of Alertmanager that Vigil uses. */
export interface AlertNotification {
  /** Identifies the group of alerts, equal in all its notifications. */
  groupKey: string;
  /** Labels of the alerts that fire. Empty when all are resolved. */
  firing: Record<string, string>[];
}

/** Version of the payload, the only one that Alertmanager has sent since 0.4. */
const payloadVersion = '4';
const maxAlerts = 1000;
const maxGroupKey = 16_384;
const statuses = ['firing', 'resolved'];

/**
 * Reads the payload of Alertmanager's webhook. Fields that Vigil does not use are ignored.
 * @throws ApiFault 400 that names the field and the reason.
 */
export function readNotification(body: JsonObject): AlertNotification {
  const { version = null, groupKey = null, alerts = null } = body;
  if (version !== payloadVersion) {
    throw invalidField('version', version, `Must be "${payloadVersion}", the version of Alertmanager's payload.`);
  }
  if (typeof groupKey !== 'string') throw wrongType('groupKey', groupKey, 'str');
  if (groupKey === '') throw invalidField('groupKey', groupKey, 'Must not be empty.');
  if (groupKey.length > maxGroupKey) {
    throw invalidField('groupKey', `${groupKey.slice(0, 80)}…`, `At most ${maxGroupKey} characters.`);
  }
  const status = statusField(body, 'status');
  if (!Array.isArray(alerts)) throw wrongType('alerts', alerts, 'list');
  if (alerts.length > maxAlerts) {
    throw invalidField('alerts', `${alerts.length} alerts`, `At most ${maxAlerts}; see max_alerts of Alertmanager.`);
  }
  const firing = alerts.flatMap((alert, index) => labelsOfFiring(alert, `alerts[${index}]`));
  return { groupKey, firing: status === 'firing' ? firing : [] };
}

function statusField(body: JsonObject, name: string): string {
  const { status = null } = body;
  if (typeof status === 'string' && statuses.includes(status)) return status;
  throw invalidField(name, status, `Must be one of ${statuses.join(', ')}.`);
}

function labelsOfFiring(alert: JsonValue, field: string): Record<string, string>[] {
  if (!isJsonObject(alert)) throw wrongType(field, alert, 'dict');
  const status = statusField(alert, `${field}.status`);
  const { labels = null } = alert;
  if (!isJsonObject(labels)) throw wrongType(`${field}.labels`, labels, 'dict');
  for (const [name, value] of Object.entries(labels)) {
    if (typeof value !== 'string') throw wrongType(`${field}.labels.${name.slice(0, 80)}`, value, 'str');
  }
  return status === 'firing' ? [labels as Record<string, string>] : [];
}
