import type { UnitOfWork } from '#libs/store';

/** Milliseconds since the last action of any plan ended, by database time; infinite when none ever did. */
export async function timeSinceChange(db: Pick<UnitOfWork, 'actions' | 'now'>): Promise<number> {
  const [last] = await db.actions.list({
    filters: [{ field: 'state', op: 'in', value: ['SUCCEEDED', 'FAILED'] }],
    sortKey: 'endedAt',
    sortDir: 'desc',
    limit: 1,
  });
  if (!last?.endedAt) return Number.POSITIVE_INFINITY;
  return Math.max(0, (await db.now()).getTime() - last.endedAt.getTime());
}
