import { type Audit, type AuditCreate, dataOf, type VigilClient } from '#libs/client';

/**
 * Creates an audit like an existing one, which runs once, now.
 * @returns its uuid.
 */
export async function rerunAudit(client: VigilClient, uuid: string): Promise<string> {
  const audit = await client.get('audits', uuid);
  if (audit.scope.length === 0) return (await dataOf(client.api.POST('/v1/audits', { body: bodyOf(audit) }))).uuid;
  // Watcher's audits take a scope only from a template.
  const template = await dataOf(
    client.api.POST('/v1/audit_templates', {
      body: {
        name: `scope of ${audit.name} ${crypto.randomUUID().slice(0, 8)}`.slice(-63),
        goal: audit.goal_name ?? '',
        ...(audit.strategy_name ? { strategy: audit.strategy_name } : {}),
        scope: audit.scope,
      },
    }),
  );
  const { goal: _goal, strategy: _strategy, ...rest } = bodyOf(audit);
  return (await dataOf(client.api.POST('/v1/audits', { body: { ...rest, audit_template_uuid: template.uuid } }))).uuid;
}

function bodyOf(audit: Audit): AuditCreate {
  return {
    goal: audit.goal_name ?? '',
    ...(audit.strategy_name ? { strategy: audit.strategy_name } : {}),
    audit_type: 'ONESHOT',
    parameters: audit.parameters,
    auto_trigger: false,
    force: audit.force ?? false,
  };
}
