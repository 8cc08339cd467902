import {
  type CloudCallMetrics,
  connectApplicationCredentials,
  createOpenStackCloud,
  openStackConfigFromEnv,
} from '#libs/openstack';
import { type ServiceContext, startPeriodic } from '#libs/service-kit';
import type { Store } from '#libs/store';
import type { applierEnv } from '../env.ts';
import type { ApplierMetrics } from '../metrics.ts';
import { createPlanAuthority, type PlanAuthority } from './plan-authority.ts';

/** Pause between two searches for credentials of dead appliers, in milliseconds. */
const sweepMs = 600_000;

/**
 * Starts the authority for plans' own credentials, and its sweep. Undefined when plans use the standing credentials.
 */
export async function startPlanAuthority(
  context: ServiceContext<typeof applierEnv>,
  { store, metrics, cloudCalls }: { store: Store; metrics: ApplierMetrics; cloudCalls: CloudCallMetrics },
): Promise<PlanAuthority | undefined> {
  const { env, logger, clock, teardown, loops } = context;
  if (env.VIGIL_PLAN_CREDENTIALS === 'standing') return undefined;
  const config = openStackConfigFromEnv(process.env);
  const deps = { logger, clock, metrics: cloudCalls };
  const connected = await teardown.start('application credentials', () => connectApplicationCredentials(config, deps));
  const authority = createPlanAuthority({
    credentials: connected.credentials,
    connect: ({ id, secret }) =>
      createOpenStackCloud(
        { ...config, credentials: { kind: 'application-credential', credential: { id }, secret } },
        deps,
      ),
    roles: env.VIGIL_PLAN_CREDENTIAL_ROLES,
    store,
    metrics,
    logger,
  });
  const sweep = startPeriodic({
    name: 'sweep of plan credentials',
    everyMs: sweepMs,
    logger,
    loops,
    run: authority.sweep,
  });
  teardown.add('sweep of plan credentials', sweep.stop);
  return authority;
}
