const admin = 'rule:admin_api';

const readable = (resource: string) => ({
  [`${resource}:get_all`]: admin,
  [`${resource}:detail`]: admin,
  [`${resource}:get`]: admin,
});

const writable = (resource: string, ...operations: string[]) => ({
  ...readable(resource),
  ...Object.fromEntries(operations.map((operation) => [`${resource}:${operation}`, admin])),
});

/**
 * Watcher's policy: every operation is for administrators. Webhooks also for the role `service`. `internal:*` guard the
 * internal surface, which Watcher does not have.
 */
export const defaultRules: Readonly<Record<string, string>> = {
  admin_api: 'role:admin or role:administrator',
  admin_or_service_api: 'rule:admin_api or role:service',
  show_password: '!',
  ...readable('goal'),
  ...writable('strategy', 'state'),
  ...writable('audit_template', 'create', 'update', 'delete'),
  ...writable('audit', 'create', 'update', 'delete', 'alert_token'),
  ...writable('action_plan', 'update', 'delete', 'start', 'remove_instances'),
  'action_plan:approve': 'rule:admin_api or role:approver',
  'action_plan:get_comments': 'rule:action_plan:get',
  'action_plan:comment':
    'rule:action_plan:get and (rule:action_plan:update or rule:action_plan:start or rule:action_plan:approve)',
  ...writable('action', 'update'),
  ...readable('scoring_engine'),
  ...readable('service'),
  'data_model:get_all': admin,
  'data_model:what_if': admin,
  'data_model:past': admin,
  'report:get': admin,
  'notification_target:get_all': admin,
  'notification_target:get': admin,
  'notification_target:create': admin,
  'notification_target:update': admin,
  'notification_target:delete': admin,
  'notification_target:test': admin,
  'notification_target:resend': admin,
  'internal:read': admin,
  'internal:write': admin,
  'webhook:trigger': 'rule:admin_or_service_api',
};
