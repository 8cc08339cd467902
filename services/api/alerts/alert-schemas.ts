import { Type } from 'typebox';
import { alertElements } from '#libs/domain';
import { moment, nullableText, nullableUuid, strict, uuid, words } from '../openapi/shared-schemas.ts';
import { defaultRepeatSeconds, maxRepeatSeconds } from './alert-settings.ts';

const labels = Type.Object(
  Object.fromEntries(
    alertElements.map((element) => [
      element,
      Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: `Label that names a ${element}.` })),
    ]),
  ),
  {
    ...strict,
    description: 'Labels that limit a run to the elements that alerts name.',
  },
);
const repeatSeconds = Type.Integer({
  minimum: 0,
  maximum: maxRepeatSeconds,
  description: `Time after a run in which its group is not run again. Default ${defaultRepeatSeconds}.`,
});
const shown = {
  audit_uuid: uuid('EVENT audit.'),
  valid: Type.Boolean({ description: 'False after it was revoked.' }),
  labels,
  repeat_seconds: repeatSeconds,
  created_at: moment('When it was created.'),
  rotated_at: nullableText('When it was last replaced, ISO 8601; null when never.'),
  revoked_at: nullableText('When it was revoked, ISO 8601; null while it is valid.'),
  used_at: nullableText('When a notification with it last arrived, ISO 8601; null when never.'),
};
const anyObject = { additionalProperties: true };
const status = words(['firing', 'resolved'], 'Whether it fires.');

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
      detail: Type.String({ description: 'The reason for people.' }),
      run_uuid: nullableUuid('Run of the group; null when it has none.'),
    },
    { $id: 'AlertReceipt', ...strict },
  ),
];
