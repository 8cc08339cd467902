import { Type } from 'typebox';
import { alertElements } from '#libs/domain';
import { moment, nullableText, nullableUuid, strict, uuid, words } from '../openapi/shared-schemas.ts';
import { defaultRepeatSeconds, maxRepeatSeconds } from './alert-settings.ts';

const labels = Type.Object(
  Object.fromEntries(
    alertElements.map((element) => [
      element,
      Type.Optional(
        Type.String({ minLength: 1, maxLength: 128, description: `Label with the name of the ${element}.` }),
      ),
    ]),
  ),
  {
    ...strict,
    description: 'Labels of alerts that limit a run to the named elements.',
  },
);
const repeatSeconds = Type.Integer({
  minimum: 0,
  maximum: maxRepeatSeconds,
  description: `Time after a run during which its group does not run again. Default ${defaultRepeatSeconds}.`,
});
const shown = {
  audit_uuid: uuid('EVENT audit.'),
  valid: Type.Boolean({ description: 'Whether the token is valid; false after its revocation.' }),
  labels,
  repeat_seconds: repeatSeconds,
  created_at: moment('Creation time.'),
  rotated_at: nullableText('Time of the last replacement, ISO 8601; null if never.'),
  revoked_at: nullableText('Time of revocation, ISO 8601; null while valid.'),
  used_at: nullableText('Last use of the token, ISO 8601; null if never.'),
};
const anyObject = { additionalProperties: true };
const status = words(['firing', 'resolved'], 'Status of the alert.');

/** Components of the OpenAPI document for alert tokens and notifications. */
export const alertSchemas = [
  Type.Object(shown, { $id: 'AlertToken', ...strict }),
  Type.Object(
    { ...shown, token: Type.String({ description: 'Bearer token, which only this response shows.' }) },
    { $id: 'NewAlertToken', ...strict },
  ),
  Type.Object(
    { labels: Type.Optional(labels), repeat_seconds: Type.Optional(repeatSeconds) },
    { $id: 'AlertTokenSettings', ...strict },
  ),
  Type.Object(
    {
      version: Type.Literal('4', { description: 'Version of the payload.' }),
      groupKey: Type.String({ minLength: 1, maxLength: 16_384, description: 'Identifies the group of alerts.' }),
      status,
      alerts: Type.Array(
        Type.Object(
          { status, labels: Type.Unsafe({ type: 'object', additionalProperties: { type: 'string' } }) },
          anyObject,
        ),
        { maxItems: 1000, description: 'Alerts of the group.' },
      ),
    },
    { $id: 'AlertmanagerNotification', ...anyObject, description: 'Payload of Alertmanager’s webhook.' },
  ),
  Type.Object(
    {
      audit_uuid: uuid('EVENT audit.'),
      result: words(['started', 'queued', 'ignored'], 'Result of the notification.'),
      reason: Type.String({ description: 'Code of the reason, such as `group_fires` or `repeated`.' }),
      detail: Type.String({ description: 'Reason as a sentence.' }),
      run_uuid: nullableUuid('Run of the group; null without one.'),
    },
    { $id: 'AlertReceipt', ...strict },
  ),
];
