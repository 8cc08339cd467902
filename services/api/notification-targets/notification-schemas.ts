import { type TSchema, Type } from 'typebox';
import { chosenKinds, notificationDeliveryStates, notificationFormats, notificationKinds } from '#libs/domain';
import {
  component,
  count,
  freeObject,
  moment,
  nullableCount,
  nullableText,
  nullableUuid,
  strict,
  uuid,
  words,
} from '../openapi/shared-schemas.ts';

const kinds = Type.Unsafe<string[] | null>({
  type: ['array', 'null'],
  items: { type: 'string', enum: chosenKinds },
  minItems: 1,
  description: 'Kinds of events that it gets; null: all.',
});
const name = Type.String({ minLength: 1, maxLength: 255, description: 'Name, unique among the targets.' });
const format = words(notificationFormats, 'Format of the bodies. Default `json`.');
const enabled = Type.Boolean({ description: 'Whether the target receives notifications. Default true.' });
const url = Type.String({
  maxLength: 2000,
  description: 'URL of the receiver; https, unless its host is allowed without.',
});
const secret = nullableText('Key of the signature, `whsec_` and 24 to 64 bytes as base64; default: generated.');
const bearerToken = nullableText('Sent as `Authorization: Bearer`; null: none.');

const given = {
  name: Type.Optional(name),
  url: Type.Optional(url),
  format: Type.Optional(format),
  kinds: Type.Optional(kinds),
  enabled: Type.Optional(enabled),
  bearer_token: Type.Optional(bearerToken),
};
const shown = {
  uuid: uuid('Identifier.'),
  name,
  source: words(['api', 'configuration'], 'Origin. Targets of the configuration cannot be changed here.'),
  url: Type.String({ description: 'URL without possibly secret parts.' }),
  format,
  kinds,
  enabled,
  pending: count('Waiting deliveries.'),
  dead: count('Dead letters.'),
  created_at: moment('Creation time.'),
  updated_at: nullableText('Time of the last change, ISO 8601; null if never.'),
  rotated_at: nullableText('Time of the last replacement of the secret, ISO 8601; null if never.'),
  delivered_at: nullableText('Time of the last accepted notification, ISO 8601; null if never.'),
};

/** Components of the OpenAPI document for notification targets and deliveries. */
export const notificationSchemas: TSchema[] = [
  Type.Object(shown, { $id: 'NotificationTarget', ...strict }),
  Type.Object(
    { ...shown, secret: nullableText('Key of the signature, which only this response shows; null: as given.') },
    { $id: 'NewNotificationTarget', ...strict },
  ),
  Type.Object(
    { notification_targets: Type.Array(component('NotificationTarget')) },
    { $id: 'NotificationTargetList', ...strict },
  ),
  Type.Object({ ...given, name, url, secret: Type.Optional(secret) }, { $id: 'NotificationTargetCreate', ...strict }),
  Type.Object(
    { ...given, secret: Type.Optional(Type.String({ description: 'New key of the signature.' })) },
    { $id: 'NotificationTargetChange', ...strict },
  ),
  Type.Object(
    {
      uuid: uuid('Identifier, sent as `webhook-id` with each attempt.'),
      target_uuid: uuid('Target.'),
      target_name: Type.String({ description: 'Name of the target.' }),
      event_uuid: uuid('Event; the same for all targets.'),
      kind: words(notificationKinds, 'Kind of the event.'),
      subject: Type.String({ description: 'Uuid of the plan, or name of the host or target.' }),
      text: Type.String({ description: 'Description of the event in one line.' }),
      data: freeObject('Event, as in bodies.'),
      state: words(notificationDeliveryStates, 'State, as in docs/states.md.'),
      attempts: count('Attempts since the delivery was created or sent again.'),
      status_code: nullableCount('HTTP status of the last response; null: none.'),
      reason: nullableText('Error of the last attempt; null without one.'),
      occurred_at: moment('Time of the event.'),
      next_attempt_at: nullableText('Due time of the next attempt, ISO 8601; null unless PENDING.'),
      ended_at: nullableText('Time of the delivery or of the last failure, ISO 8601.'),
      resent_by: nullableText('User who last sent the notification again; null: none.'),
      resent_at: nullableText('Time of that resending, ISO 8601.'),
    },
    { $id: 'NotificationDelivery', ...strict },
  ),
  Type.Object(
    {
      notification_deliveries: Type.Array(component('NotificationDelivery')),
      next: nullableUuid('Value of `marker` for the next page.'),
    },
    { $id: 'NotificationDeliveryList', ...strict },
  ),
];
