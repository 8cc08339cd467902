import type { ClusterSummary } from '../../api/cluster-types.ts';
import type { Deployment, ServiceRow } from '../../api/internal-types.ts';
import { shortId } from '../../components/links.tsx';
import { millisOf } from '../../components/time.tsx';
import { checkName } from './check-name.ts';

/** Something that somebody should look at, and where. */
export interface Problem {
  text: string;
  /** Page that shows more, and where something can be done about it. */
  to: string;
  isSerious: boolean;
}

/** What is known of the deployment; what could not be read, or may not be seen, is left out. */
export interface Known {
  checks?: Deployment['checks'] | undefined;
  services?: readonly Pick<ServiceRow, 'name' | 'host' | 'status' | 'degraded' | 'registered'>[] | undefined;
  cluster?: Pick<ClusterSummary, 'complete' | 'totals'> | undefined;
  /** Messages that were given up. */
  parked: number;
  /** Background tasks that were given up. */
  failedTasks: number;
  audits: readonly Run[];
  plans: readonly (Run & { paused: boolean })[];
  /** Milliseconds since 1970. */
  now: number;
}

interface Run {
  uuid: string;
  name?: string;
  state: string;
  updated_at?: string | null;
  status_message?: string | null;
}

/** Failures are told for this long; later they are history. */
const failureMs = 24 * 3_600_000;
const maxRuns = 3;

/** What is wrong now, or went wrong in the last day; the serious first. */
export function problemsOf(known: Known): Problem[] {
  const problems = [...ofChecks(known), ...ofServices(known), ...ofCluster(known), ...ofWork(known)];
  return [...problems.filter(({ isSerious }) => isSerious), ...problems.filter(({ isSerious }) => !isSerious)];
}

function ofChecks({ checks = [] }: Known): Problem[] {
  return checks
    .filter(({ ok }) => !ok)
    .map(({ name, reason }) => ({
      text: `${checkName(name)}: not usable${reason ? `, ${reason}` : ''}`,
      to: '/services',
      isSerious: true,
    }));
}

function ofServices({ services = [] }: Known): Problem[] {
  return services
    .filter(
      ({ status, degraded, registered }) => degraded || status === 'Failed' || (registered && status === 'NotRunning'),
    )
    .map(({ name, host, degraded }) => ({
      text: degraded ? `${name} on ${host} fails again and again` : `${name} on ${host} does not run`,
      to: '/services',
      isSerious: true,
    }));
}

function ofCluster({ cluster }: Known): Problem[] {
  if (!cluster) return [];
  const down = cluster.totals.hosts - cluster.totals.hosts_up;
  return [
    ...(cluster.complete ? [] : [{ text: 'A part of the cloud could not be read', to: '/cluster', isSerious: false }]),
    ...(down > 0
      ? [{ text: `${down} ${down === 1 ? 'host is' : 'hosts are'} down`, to: '/cluster?sort=state', isSerious: false }]
      : []),
  ];
}

function ofWork({ parked, failedTasks, audits, plans, now }: Known): Problem[] {
  const failed = <Entity extends Run>(runs: readonly Entity[]) =>
    runs
      .filter(({ state, updated_at: at }) => state === 'FAILED' && now - (millisOf(at) ?? 0) < failureMs)
      .sort((left, right) => (millisOf(right.updated_at) ?? 0) - (millisOf(left.updated_at) ?? 0))
      .slice(0, maxRuns);
  const because = ({ status_message: message }: Run) => (message ? `: ${message}` : '');
  return [
    ...failed(plans).map((plan) => ({
      text: `Action plan ${shortId(plan.uuid)} failed${because(plan)}`,
      to: `/plans/${plan.uuid}`,
      isSerious: true,
    })),
    ...failed(audits).map((audit) => ({
      text: `Audit ${audit.name ?? shortId(audit.uuid)} failed${because(audit)}`,
      to: `/audits/${audit.uuid}`,
      isSerious: true,
    })),
    ...plans
      .filter(({ state, paused }) => paused && (state === 'ONGOING' || state === 'PENDING'))
      .map(({ uuid }) => ({
        text: `Action plan ${shortId(uuid)} is paused and waits for somebody to resume it`,
        to: `/plans/${uuid}`,
        isSerious: false,
      })),
    ...(failedTasks > 0
      ? [
          {
            text: `${failedTasks} background ${failedTasks === 1 ? 'task' : 'tasks'} failed`,
            to: '/dead-letters?tab=tasks',
            isSerious: false,
          },
        ]
      : []),
    ...(parked > 0
      ? [
          {
            text: `${parked} ${parked === 1 ? 'message was' : 'messages were'} given up`,
            to: '/dead-letters?tab=messages',
            isSerious: false,
          },
        ]
      : []),
  ];
}
