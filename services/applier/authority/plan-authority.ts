import type { Logger } from '#libs/domain';
import type { AccessRule, ApplicationCredential, ApplicationCredentials, Cloud } from '#libs/openstack';
import type { Store } from '#libs/store';
import type { ApplierMetrics } from '../metrics.ts';

/** The run of a plan, with its permitted requests. */
export interface PlanGrant {
  planUuid: string;
  /** Fencing number of the run. */
  fence: number;
  expiresAt: Date;
  access: readonly AccessRule[];
  /** Aborts the wait for Keystone. */
  signal: AbortSignal;
}

/** Access to the cloud with a plan's own credential. */
export interface GrantedAuthority {
  cloud: Cloud;
  /** Deletes the credential. Never throws: `sweep` deletes a remaining credential, or the credential expires. */
  close(): Promise<void>;
}

/** Gives each plan a separate application credential of Keystone. */
export interface PlanAuthority {
  /**
   * Deletes the credentials of earlier runs of the plan, then creates the credential of a run.
   * @throws OpenStackError when Keystone refuses or is unavailable.
   */
  open(grant: PlanGrant): Promise<GrantedAuthority>;
  /**
   * Deletes the credentials of plans that no applier runs, for example after a crash. Credentials of plans that are not
   * in this database are deleted only after their expiry, because another installation may use the same user.
   */
  sweep(signal: AbortSignal): Promise<void>;
}

/** Longest wait for the deletion of a credential and its rules, in milliseconds. */
const deletionMs = 20_000;

const namePattern = /^vigil-plan-([0-9a-f-]{36})-(\d+)$/;

/** Name of the credential of a run. */
export function credentialName({ planUuid, fence }: Pick<PlanGrant, 'planUuid' | 'fence'>): string {
  return `vigil-plan-${planUuid}-${fence}`;
}

/** Plan and fencing number of a credential. Null for other credentials. */
function runOf({ name }: ApplicationCredential): Pick<PlanGrant, 'planUuid' | 'fence'> | null {
  const [, planUuid, fence] = namePattern.exec(name) ?? [];
  return planUuid === undefined ? null : { planUuid, fence: Number(fence) };
}

/**
 * @param deps.connect connects to a cloud with an application credential
 * @param deps.roles names of the roles of each credential. Empty: all roles of the user.
 */
export function createPlanAuthority(deps: {
  credentials: ApplicationCredentials;
  connect(credential: { id: string; secret: string }): Cloud;
  roles: readonly string[];
  store: Store;
  metrics: Pick<ApplierMetrics, 'planCredential'>;
  logger: Logger;
}): PlanAuthority {
  const { credentials, metrics, logger } = deps;

  async function remove(
    credential: ApplicationCredential,
    event: 'deleted' | 'orphan_deleted',
    signal: AbortSignal,
  ): Promise<void> {
    const fields = { credential: credential.name, credential_id: credential.id };
    try {
      await credentials.remove(credential, { signal });
      metrics.planCredential(event);
      logger.info({ ...fields, event }, 'credential of action plan deleted');
    } catch (error) {
      metrics.planCredential('delete_failed');
      logger.warn({ ...fields, error }, 'cannot delete credential of action plan');
    }
  }

  async function removeFormer({ planUuid, fence, signal }: PlanGrant): Promise<void> {
    for (const credential of await credentials.list({ signal })) {
      const run = runOf(credential);
      if (run?.planUuid === planUuid && run.fence !== fence) await remove(credential, 'orphan_deleted', signal);
    }
  }

  async function create(grant: PlanGrant): Promise<ApplicationCredential & { secret: string }> {
    try {
      await removeFormer(grant);
      const created = await credentials.create(
        {
          name: credentialName(grant),
          description: `Vigil: action plan ${grant.planUuid}, run ${grant.fence}`,
          roles: deps.roles,
          expiresAt: grant.expiresAt,
          access: grant.access,
        },
        { signal: grant.signal },
      );
      metrics.planCredential('created');
      return created;
    } catch (error) {
      metrics.planCredential('create_failed');
      throw error;
    }
  }

  async function isOver(credential: ApplicationCredential): Promise<boolean> {
    const run = runOf(credential);
    if (run === null) return false;
    return deps.store.transaction(async (unit) => {
      const [plan, now] = [await unit.actionPlans.find(run.planUuid), await unit.now()];
      if (plan === null) return credential.expiresAt !== null && credential.expiresAt < now;
      const isHeld = plan.leaseExpiresAt !== null && plan.leaseExpiresAt > now;
      return plan.fence !== run.fence || !isHeld;
    });
  }

  return {
    async open(grant) {
      const { secret, ...credential } = await create(grant);
      const { id, name } = credential;
      const rules = grant.access.length;
      logger.info({ credential: name, credential_id: id, rules }, 'credential of action plan created');
      const cloud = deps.connect({ id, secret });
      return {
        cloud,
        async close() {
          await remove(credential, 'deleted', AbortSignal.timeout(deletionMs));
          await cloud.close();
        },
      };
    },
    async sweep(signal) {
      for (const credential of await credentials.list({ signal })) {
        if (await isOver(credential)) await remove(credential, 'orphan_deleted', signal);
      }
    },
  };
}
