import { expect, it } from 'vitest';
import { refusalOfAddress } from './address-rules.ts';
import {
  createCheckedLookup,
  newSigningSecret,
  parseAllowedHosts,
  parseConfiguredTargets,
  readTargetUrl,
  renderNotification,
  requireSigningSecret,
  signatureHeaders,
} from './index.ts';

const none = parseAllowedHosts([]);

it.each([
  ['0.0.0.0', 'unspecified'],
  ['10.1.2.3', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.0.1', 'private'],
  ['100.64.0.1', 'private'],
  ['127.8.8.8', 'loopback'],
  ['169.254.169.254', 'link-local'],
  ['224.0.0.1', 'multicast'],
  ['255.255.255.255', 'reserved'],
  ['192.0.2.1', 'reserved'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::ffff:8.8.8.8', 'IPv4-mapped'],
  ['64:ff9b::a00:1', 'NAT64'],
  ['64:ff9b:1::a00:1', 'NAT64'],
  ['2002:a00:1::', 'reserved'],
  ['2001:0:1::', 'reserved'],
  ['fe80::1%eth0', 'link-local'],
  ['fd00::1', 'private'],
  ['ff02::1', 'multicast'],
  ['::8.8.8.8', 'reserved'],
  ['name', 'unknown'],
  ['8.8.8.8', null],
  ['172.32.0.1', null],
  ['2606:4700::1111', null],
])('%s: %s', (address, word) => {
  expect(refusalOfAddress(address)).toBe(word);
});

it('a name with one address that is not public is refused, unless it is allowed', async () => {
  const addresses = [
    { address: '8.8.8.8', family: 4 },
    { address: '10.0.0.1', family: 4 },
  ];
  const find = (allowed: string[]) =>
    new Promise((resolve) => {
      createCheckedLookup(parseAllowedHosts(allowed), async () => addresses)(
        'a.example',
        { all: true },
        (error, found) => resolve(error?.message ?? found),
      );
    });
  expect(await find([])).toMatch(/a\.example has the private address/);
  expect(await find(['A.example'])).toEqual(addresses);
});

it.each([
  ['ftp://a.example/', 'https://'],
  ['http://a.example/', 'VIGIL_NOTIFICATION_ALLOWED_HOSTS can allow http://a.example'],
  ['https://user:word@a.example/', 'user or password'],
  ['https://a.example/#x', 'fragment'],
  ['https://127.0.0.1/', 'loopback'],
  ['https://2130706433/', 'loopback'],
  ['https://[::ffff:10.0.0.1]/', 'IPv4-mapped'],
  ['a.example', 'Must be a URL'],
  [`https://a.example/${'x'.repeat(2000)}`, 'At most 2000'],
])('%s is refused: %s', (url, reason) => {
  expect(() => readTargetUrl(url, 'json', none)).toThrow(reason);
});

it('secret parts of a URL are not shown', () => {
  expect(readTargetUrl('https://hooks.slack.com/services/T/B/x', 'slack', none).shownUrl).toBe(
    'https://hooks.slack.com/…',
  );
  expect(readTargetUrl('https://a.example/hook?key=1', 'json', none).shownUrl).toBe('https://a.example/hook?…');
  expect(() => readTargetUrl('https://a.example/hook', 'matrix', none)).toThrow(/path of a Matrix room/);
  const inside = parseAllowedHosts(['http://chat', 'db.internal']);
  expect(readTargetUrl('http://chat:8080/x', 'json', inside).url).toBe('http://chat:8080/x');
  expect(() => readTargetUrl('http://db.internal/x', 'json', inside)).toThrow(/https/);
});

it('the signature is that of Standard Webhooks', () => {
  // The example of its specification.
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const content = { deliveryUuid: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' };
  expect(signatureHeaders(secret, content)['webhook-signature']).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
  expect(requireSigningSecret(newSigningSecret())).toMatch(/^whsec_.{44}$/);
  for (const wrong of ['', 'secret', 'whsec_AAAA', `whsec_${'A'.repeat(200)}`])
    expect(() => requireSigningSecret(wrong)).toThrow(/24 to 64 bytes/);
});

it('bodies fit their formats', () => {
  const notification = {
    kind: 'plan.failed',
    subject: 'uuid-1',
    eventUuid: 'event-1',
    deliveryUuid: 'delivery-1',
    at: new Date('2026-11-28T10:00:00Z'),
    data: { plan: { audit: { name: '<all>' }, actions: 3, failed_actions: 1, status_message: 'no\nhost & none' } },
  } as const;
  const text = 'Plan uuid-1 of audit <all> has failed: 1 of 3 actions failed; no\\nhost & none';
  const bodyOf = (format: Parameters<typeof renderNotification>[0]) => {
    const { body, ...rest } = renderNotification(format, notification);
    return { ...rest, body: JSON.parse(body) };
  };
  expect(bodyOf('json').body).toEqual({
    id: 'event-1',
    delivery: 'delivery-1',
    kind: 'plan.failed',
    subject: 'uuid-1',
    at: '2026-11-28T10:00:00.000Z',
    text,
    data: notification.data,
  });
  expect(bodyOf('cloudevents')).toMatchObject({
    contentType: 'application/cloudevents+json; charset=UTF-8',
    body: {
      specversion: '1.0',
      id: 'event-1',
      source: '/vigil',
      type: 'vigil.plan.failed',
      subject: 'uuid-1',
      time: '2026-11-28T10:00:00.000Z',
      datacontenttype: 'application/json',
      data: { text },
    },
  });
  expect(bodyOf('slack').body).toEqual({
    text: text.replace('<all>', '&lt;all&gt;').replace('& none', '&amp; none'),
  });
  expect(bodyOf('matrix')).toMatchObject({
    method: 'PUT',
    pathSuffix: '/delivery-1',
    body: { msgtype: 'm.notice', body: text },
  });
});

it('configured targets are read, and faults repeat no secret', () => {
  const secret = newSigningSecret();
  const one = { name: 'chat', url: 'https://chat.example/', secret };
  expect(parseConfiguredTargets(undefined, none)).toEqual([]);
  expect(parseConfiguredTargets(JSON.stringify([{ ...one, kinds: ['plan.failed'] }]), none)).toEqual([
    { ...one, shownUrl: one.url, format: 'json', kinds: ['plan.failed'], bearerToken: null },
  ]);
  const refused = (entries: unknown) => () => parseConfiguredTargets(JSON.stringify(entries), none);
  expect(refused([{ ...one, kinds: ['plan.faild'] }])).toThrow(/target 1: .*Did you mean plan\.failed/);
  expect(refused([{ ...one, format: 'slak' }])).toThrow(/Did you mean slack/);
  expect(refused([{ ...one, secrets: 'x' }])).toThrow(/the field secrets is unknown. Did you mean secret/);
  expect(refused([one, one])).toThrow(/names two targets chat/);
  expect(refused([{ ...one, secret: 'hidden-word' }])).toThrow(/^((?!hidden-word).)*$/s);
  expect(() => parseConfiguredTargets('[hidden-word', none)).toThrow(/^((?!hidden-word).)*must be a JSON list/s);
});
