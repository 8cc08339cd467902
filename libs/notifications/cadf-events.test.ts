import { expect, test } from 'vitest';
import type { AuditLogEntry } from '#libs/store';
import { cadfEventsOf } from './cadf-events.ts';

const plan = '8d7f0f8c-8c1e-4a5e-9b52-26b2c2c3a001';
const entry: AuditLogEntry = {
  uuid: '11111111-2222-4333-8444-555555555555',
  at: '2026-11-22T10:00:00.123Z',
  requestId: 'req-aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee',
  globalRequestId: null,
  userId: 'u1',
  userName: 'ann',
  projectId: 'p1',
  projectName: 'admin',
  roles: ['admin'],
  address: '10.0.0.7',
  method: 'POST',
  route: '/v1/action_plans/:ident/start',
  operation: 'start_action_plan',
  targetKind: 'action_plan',
  target: plan,
  status: 200,
  summary: 'on_failure: rollback',
};
const respondedAt = new Date('2026-11-22T10:00:00.500Z');

test('a request and its response are published with the keys of the middleware', () => {
  const common = {
    typeURI: 'http://schemas.dmtf.org/cloud/audit/1.0/event',
    eventType: 'activity',
    id: entry.uuid,
    eventTime: '2026-11-22T10:00:00.123000+0000',
    action: 'update/start',
    initiator: {
      typeURI: 'service/security/account/user',
      id: 'u1',
      name: 'ann',
      project_id: 'p1',
      request_id: entry.requestId,
      host: { address: '10.0.0.7' },
      credential: { token: '***', identity_status: 'Confirmed' },
    },
    target: { typeURI: 'service/infra-optim/action_plans/action_plan', id: plan, name: 'watcher' },
    observer: { id: 'target' },
    requestPath: `/v1/action_plans/${plan}/start`,
    tags: ['correlation_id?value=aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee', 'operation?value=start_action_plan'],
  };
  expect(cadfEventsOf(entry, respondedAt)).toEqual([
    { eventType: 'audit.http.request', payload: { ...common, outcome: 'pending' } },
    {
      eventType: 'audit.http.response',
      payload: {
        ...common,
        outcome: 'success',
        reason: { reasonType: 'HTTP', reasonCode: '200' },
        reporterchain: [
          { role: 'modifier', reporter: { id: 'target' }, reporterTime: '2026-11-22T10:00:00.500000+0000' },
        ],
      },
    },
  ]);
});

test.each([
  ['POST', '/v1/audits', 'create', 'service/infra-optim/audits', '/v1/audits'],
  ['PATCH', '/v1/audits/:ident', 'update', 'service/infra-optim/audits/thing', '/v1/audits/x'],
  ['DELETE', '/v1/audits/:ident', 'delete', 'service/infra-optim/audits/thing', '/v1/audits/x'],
  ['POST', '/v1/webhooks/:ident', 'update', 'service/infra-optim/webhooks/thing', '/v1/webhooks/x'],
  ['POST', '/v1/audits/preview', 'update/preview', 'service/infra-optim/audits', '/v1/audits/preview'],
  ['PUT', '/internal/tasks/:name', 'update', 'service/infra-optim/tasks/thing', '/internal/tasks/x'],
])('%s %s is %s of %s', (method, route, action, typeURI, requestPath) => {
  const [request] = cadfEventsOf({ ...entry, method, route, targetKind: 'thing', target: 'x' }, respondedAt);
  expect(request?.payload).toMatchObject({ action, target: { typeURI }, requestPath });
});

test('an unknown user is unknown, a refusal is a failure with its status, and a request without a response is not published', () => {
  const refused = { ...entry, operation: 'sign_in', route: '/dashboard/session', target: null, status: 401 };
  const [, response] = cadfEventsOf({ ...refused, userId: null, userName: null, projectId: null }, respondedAt);
  expect(response?.payload).toMatchObject({
    action: 'authenticate',
    outcome: 'failure',
    initiator: { id: 'unknown', name: 'unknown', project_id: 'unknown', credential: { identity_status: 'Invalid' } },
    target: { typeURI: 'service/infra-optim/session', id: 'unknown' },
    reason: { reasonType: 'HTTP', reasonCode: '401' },
  });
  expect(cadfEventsOf({ ...entry, status: null }, respondedAt)).toEqual([]);
});
