import { expect, it } from 'vitest';
import type { AuditView, UnitOfWork } from '#libs/store';
import { failedMigrations } from './failed-migrations.ts';

const audit = (auditType: string) => ({ uuid: 'a', auditType }) as AuditView;

function actionsOf(ids: unknown[]) {
  const asked: unknown[] = [];
  const list = async (query: unknown) => {
    asked.push(query);
    return ids.map((id) => ({ inputParameters: { resource_id: id } }));
  };
  return { db: { actions: { list } } as unknown as Pick<UnitOfWork, 'actions'>, asked };
}

it('names every instance once, of failed migrations of the audit only', async () => {
  const { db, asked } = actionsOf(['x', 'y', 'x', null]);
  expect(await failedMigrations(db, audit('CONTINUOUS'))).toEqual(['x', 'y']);
  expect(asked).toEqual([
    {
      filters: [
        { field: 'auditUuid', value: 'a' },
        { field: 'actionType', value: 'migrate' },
        { field: 'state', value: 'FAILED' },
      ],
    },
  ]);
});

it('does not look for a ONESHOT audit', async () => {
  const { db, asked } = actionsOf(['x']);
  expect(await failedMigrations(db, audit('ONESHOT'))).toEqual([]);
  expect(asked).toEqual([]);
});
