import type { NotificationFormat } from '#libs/domain';
import { type NotifiedEvent, notificationText } from './notification-text.ts';

/** An event and its delivery. */
export interface Notification extends NotifiedEvent {
  eventUuid: string;
  deliveryUuid: string;
  /** When the event occurred. */
  at: Date;
}

/** A request of HTTP without its address. */
export interface RenderedNotification {
  method: 'POST' | 'PUT';
  contentType: string;
  body: string;
  /** Added to the path of the target. Empty for most formats. */
  pathSuffix: string;
}

const json = 'application/json';

/** The request that notifies a target of the format. The same notification always has the same body. */
export function renderNotification(format: NotificationFormat, notification: Notification): RenderedNotification {
  const { eventUuid, deliveryUuid, kind, subject, at, data } = notification;
  const text = notificationText(notification);
  const post = (body: object, contentType = json): RenderedNotification => ({
    method: 'POST',
    contentType,
    body: JSON.stringify(body),
    pathSuffix: '',
  });
  switch (format) {
    case 'json':
      return post({ id: eventUuid, delivery: deliveryUuid, kind, subject, at: at.toISOString(), text, data });
    case 'cloudevents':
      return post(
        {
          specversion: '1.0',
          id: eventUuid,
          source: '/vigil',
          type: `vigil.${kind}`,
          subject,
          time: at.toISOString(),
          datacontenttype: json,
          data: { text, ...data },
        },
        'application/cloudevents+json; charset=UTF-8',
      );
    case 'slack':
      return post({ text: escaped(text) });
    case 'matrix':
      // The id of the transaction is that of the delivery, so that a server shows a repeated one once.
      return { ...post({ msgtype: 'm.notice', body: text }), method: 'PUT', pathSuffix: `/${deliveryUuid}` };
  }
}

/** Characters that Slack reads as links and mentions. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
