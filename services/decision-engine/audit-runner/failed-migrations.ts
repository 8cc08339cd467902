import type { AuditView, UnitOfWork } from '#libs/store';

/**
 * Uuids of the instances whose migration failed in any plan of the audit, so that a strategy need not try the same again.
 * Empty for a ONESHOT audit, which has one plan only.
 */
export async function failedMigrations(
  db: Pick<UnitOfWork, 'actions'>,
  audit: Pick<AuditView, 'uuid' | 'auditType'>,
): Promise<string[]> {
  if (audit.auditType === 'ONESHOT') return [];
  const failed = await db.actions.list({
    filters: [
      { field: 'auditUuid', value: audit.uuid },
      { field: 'actionType', value: 'migrate' },
      { field: 'state', value: 'FAILED' },
    ],
  });
  return [...new Set(failed.flatMap(({ inputParameters: { resource_id: id } }) => (typeof id === 'string' ? id : [])))];
}
