import type { VigilClient } from '#libs/client';

/** Number of parallel requests. */
const concurrency = 4;

/** Error of an action that was not skipped. */
export interface NotSkipped {
  uuid: string;
  error: unknown;
}

/**
 * Sets actions to SKIPPED, a few in parallel. A refused one does not stop the others.
 * @param reason is shown with the actions. Empty for none.
 * @returns the refused ones.
 */
export async function skipActions(
  client: VigilClient,
  uuids: readonly string[],
  reason: string,
): Promise<NotSkipped[]> {
  const body = [
    { op: 'replace' as const, path: '/state', value: 'SKIPPED' },
    ...(reason === '' ? [] : [{ op: 'replace' as const, path: '/status_message', value: reason }]),
  ];
  const refused: NotSkipped[] = [];
  const waiting = [...uuids];
  const work = async () => {
    for (let uuid = waiting.shift(); uuid !== undefined; uuid = waiting.shift()) {
      try {
        await client.api.PATCH('/v1/actions/{ident}', { params: { path: { ident: uuid } }, body });
      } catch (error) {
        refused.push({ uuid, error });
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return refused;
}
