import type { ClusterSummary } from '../../api/cluster-types.ts';
import type { Deployment, ServiceRow } from '../../api/internal-types.ts';
import { shortId } from '../../components/links.tsx';
import { millisOf } from '../../components/time.tsx';
import { text } from '../../texts/texts.ts';
import { checkName } from './check-name.ts';

/** A problem for the operator, with its page. */
export interface Problem {
  text: string;
  /** Page with details and remedies. */
  to: string;
  isSerious: boolean;
}

/** Known facts about the deployment. Unreadable or forbidden parts are omitted. */
export interface Known {
  checks?: Deployment['checks'] | undefined;
  services?: readonly Pick<ServiceRow, 'name' | 'host' | 'status' | 'degraded' | 'registered'>[] | undefined;
  cluster?: Pick<ClusterSummary, 'complete' | 'totals'> | undefined;
  /** Number of dead letters. */
  deadLetters: number;
  /** Number of failed background tasks. */
  failedTasks: number;
  audits: readonly Run[];
  plans: readonly PlanRun[];
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

interface PlanRun extends Run {
  paused: boolean;
  audit_name?: string | null;
}

/** Failures are shown for this long in milliseconds. */
const failureMs = 24 * 3_600_000;
/** Failed plans, and failed audits, in the list. */
export const maxFailures = 3;

/** Current problems, and those of the last day. Serious ones first. */
export function problemsOf(known: Known): Problem[] {
  const problems = [...ofChecks(known), ...ofServices(known), ...ofCluster(known), ...ofWork(known)];
  return [...problems.filter(({ isSerious }) => isSerious), ...problems.filter(({ isSerious }) => !isSerious)];
}

function ofChecks({ checks = [] }: Known): Problem[] {
  return checks
    .filter(({ ok }) => !ok)
    .map(({ name, reason }) => ({
      text: text('problem.unusable', { what: checkName(name), reason: reason ? `, ${reason}` : '' }),
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
      text: degraded ? text('problem.failing', { name, host }) : text('problem.notRunning', { name, host }),
      to: '/services',
      isSerious: true,
    }));
}

function ofCluster({ cluster }: Known): Problem[] {
  if (!cluster) return [];
  const down = cluster.totals.hosts - cluster.totals.hosts_up;
  return [
    ...(cluster.complete ? [] : [{ text: text('problem.gaps'), to: '/cluster', isSerious: false }]),
    ...(down > 0 ? [{ text: text('problem.down', { count: down }), to: '/cluster?sort=state', isSerious: false }] : []),
  ];
}

function ofWork({ deadLetters, failedTasks, audits, plans, now }: Known): Problem[] {
  const failed = <Entity extends Run>(runs: readonly Entity[]) =>
    runs
      .filter(({ state, updated_at: at }) => state === 'FAILED' && now - (millisOf(at) ?? 0) < failureMs)
      .sort((left, right) => (millisOf(right.updated_at) ?? 0) - (millisOf(left.updated_at) ?? 0))
      .slice(0, maxFailures);
  const because = ({ status_message: message }: Run) => (message ? `: ${message}` : '');
  return [
    ...failed(plans).map((plan) => ({
      text: text('problem.planFailed', { plan: planTitle(plan), reason: because(plan) }),
      to: `/plans/${plan.uuid}`,
      isSerious: true,
    })),
    ...failed(audits).map((audit) => ({
      text: text('problem.auditFailed', { audit: audit.name ?? shortId(audit.uuid), reason: because(audit) }),
      to: `/audits/${audit.uuid}`,
      isSerious: true,
    })),
    ...plans
      .filter(({ state, paused }) => paused && (state === 'ONGOING' || state === 'PENDING'))
      .map((plan) => ({
        text: text('problem.paused', { plan: planTitle(plan) }),
        to: `/plans/${plan.uuid}`,
        isSerious: false,
      })),
    ...(failedTasks > 0
      ? [
          {
            text: text('problem.tasks', { count: failedTasks }),
            to: '/dead-letters?tab=tasks',
            isSerious: false,
          },
        ]
      : []),
    ...(deadLetters > 0
      ? [
          {
            text: text('problem.deadLetters', { count: deadLetters }),
            to: '/dead-letters?tab=messages',
            isSerious: false,
          },
        ]
      : []),
  ];
}

/** Its short id with the name of its audit. */
function planTitle({ uuid, audit_name: audit }: PlanRun): string {
  return audit ? text('problem.planOf', { plan: shortId(uuid), audit }) : shortId(uuid);
}
