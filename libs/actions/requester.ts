import type { JsonObject } from '#libs/domain';
import type { Cloud, Migration } from '#libs/openstack';

/** Who asked for a change, as it is kept in the journal; null where the cloud did not tell. */
export type TracedRequester = { user_id: string | null; project_id: string | null };

/** Whom a change that is about to be asked for will belong to. */
export async function currentRequester(context: { cloud: Pick<Cloud, 'identity'> }): Promise<TracedRequester> {
  const requester = await context.cloud.identity.requester();
  return { user_id: requester?.userId ?? null, project_id: requester?.projectId ?? null };
}

/** Reads it from a journalled intent. */
export function requesterOf({ user_id, project_id }: JsonObject): TracedRequester {
  return { user_id: textOrNull(user_id), project_id: textOrNull(project_id) };
}

/** Whether a migration record may belong to the requester: nothing that Nova tells speaks against it. */
export function mayBelongTo(
  requester: TracedRequester,
  { userId, projectId }: Pick<Migration, 'userId' | 'projectId'>,
): boolean {
  return agree(requester.user_id, userId) && agree(requester.project_id, projectId);
}

function agree(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other;
}

function textOrNull(value: JsonObject[string] | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
