import type { Cloud } from '#libs/openstack';
import type { AuditRun } from './run-audits.ts';

/** A change that the cloud refused or that failed there. */
export interface Refusal {
  strategy: string;
  /** Kind of the server, or the resource. */
  subject: string;
  action: string;
  reason: string;
  /** Uuid of Nova's record. */
  migration?: string;
}

/** Failed actions of the runs, with the reasons that Vigil stored. */
export function failedActions(runs: readonly AuditRun[], kinds: ReadonlyMap<string, string>): Refusal[] {
  return runs.flatMap(({ strategy, actions }) =>
    actions
      .filter(({ state }) => state === 'FAILED')
      .map(({ action_type, input_parameters, status_message }) => {
        const resource = String(input_parameters?.resource_id ?? '');
        const subject = kinds.get(resource) ?? String(input_parameters?.resource_name ?? resource);
        return { strategy, subject, action: action_type, reason: status_message ?? 'no reason is stored' };
      }),
  );
}

/**
 * Migrations of the servers that Nova itself records as failed. They count although Vigil may call the action SUCCEEDED
 * or SKIPPED.
 */
export async function failedMigrations(cloud: Cloud, kinds: ReadonlyMap<string, string>): Promise<Refusal[]> {
  const found: Refusal[] = [];
  for (const [serverUuid, subject] of kinds) {
    for (const { uuid, status, type, sourceHost, destHost } of await cloud.compute.listMigrations({ serverUuid })) {
      if (status !== 'error' && status !== 'failed') continue;
      const reason = `the record of Nova is ${status}: ${sourceHost} to ${destHost ?? 'no host'}`;
      found.push({ strategy: '', subject, action: type, reason, migration: uuid });
    }
  }
  return found;
}
