import type { ActionView } from '#libs/store';
import { isAccepted, type Mutation } from '../stack/cloud-log.ts';
import { isMeantToFail } from './plan-specs.ts';

/** A row of the simulator's migrations. */
export interface MigrationRow {
  id: number;
  server: string;
  status: string;
  /** The simulator's id of the request for this migration. */
  request_id: string;
}

/** Failures that the cloud causes. */
export interface CloudTruth {
  mutations: readonly Mutation[];
  migrations: readonly MigrationRow[];
  /** Volumes and nodes on which the simulator made an operation fail. */
  failedResources: ReadonlySet<string>;
  /** Actions whose server another user moved while they ran. */
  disturbed: ReadonlySet<string>;
}

type Row = Pick<ActionView, 'uuid' | 'actionType' | 'state' | 'statusMessage' | 'inputParameters' | 'parents'>;

/** Returns whether another user moved the server of the action, or of the action that it undoes. */
export function isDisturbed(
  { uuid, inputParameters }: Pick<Row, 'uuid' | 'inputParameters'>,
  disturbed: ReadonlySet<string>,
): boolean {
  return disturbed.has(uuid) || disturbed.has(String(inputParameters.action_uuid));
}

/** Returns one line for each action that FAILED although the cloud performed all its requests. */
export function falseFailures(actions: readonly Row[], truth: CloudTruth): string[] {
  const migrations = new Map(truth.migrations.map((row) => [row.request_id, row]));
  const requested = new Map<string, Mutation[]>();
  for (const mutation of truth.mutations)
    requested.set(mutation.action, [...(requested.get(mutation.action) ?? []), mutation]);

  function hasCause(row: Row): boolean {
    if (isMeantToFail(row)) return true;
    if (isDisturbed(row, truth.disturbed)) return true;
    if (truth.failedResources.has(String(row.inputParameters.resource_id))) return true;
    const own = requested.get(row.uuid) ?? [];
    const failed = own.some(({ request }) => migrations.get(request.requestId)?.status === 'error');
    const last = own.findLast(({ request }) => !request.pending);
    return failed || (last !== undefined && !isAccepted(last));
  }

  return actions.flatMap((row) => {
    if (row.state !== 'FAILED' || hasCause(row)) return [];
    const requests = (requested.get(row.uuid) ?? []).map(({ what, request }) => `${what} ${request.status}`);
    const seen = requests.length > 0 ? requests.join(', ') : 'no request';
    return [`action ${row.uuid} (${row.actionType}): ${row.statusMessage}; the cloud saw ${seen}`];
  });
}

/** Returns one line for each migration that an action aborted without having requested it. */
export function foreignAborts({ mutations, migrations }: CloudTruth): string[] {
  const requester = new Map(mutations.map(({ action, request }) => [request.requestId, action]));
  return mutations.flatMap(({ action, request }) => {
    const [, id] = request.method === 'DELETE' ? (/\/migrations\/(\d+)$/.exec(request.path) ?? []) : [];
    const row = migrations.find((migration) => String(migration.id) === id);
    if (!row || requester.get(row.request_id) === action) return [];
    return [`action ${action} aborted migration ${id} of server ${row.server}, which it had not requested`];
  });
}
