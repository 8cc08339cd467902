import { Link } from 'react-router';
import type { Deployment, ServiceList } from '../../api/internal-types.ts';
import type { AuditRowList, PlanRowList } from '../../api/list-types.ts';
import { serverClock } from '../../api/server-clock.ts';
import { plainProse } from '../../components/prose-parts.ts';
import { Alert } from '../../components/worded-parts.tsx';
import { useMay } from '../../live/dashboard-context.tsx';
import { useClusterSummary } from '../../live/use-cluster-summary.ts';
import { useLiveEntities } from '../../live/use-live.ts';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { text } from '../../texts/texts.ts';
import { maxFailures, problemsOf } from './problems-of.ts';
import { useOpenPlans } from './use-open-plans.ts';

/** List of problems, above everything else. Empty while all is well. */
export function Attention() {
  const maySee = useMay('internal:read');
  const deployment = useStreamQuery<Deployment>('deployment', ['service', 'service_instance']);
  const processes = useStreamQuery<ServiceList>('services', ['service_instance']);
  const cluster = useClusterSummary('cluster/summary?hosts=false');
  const { count: deadLetters = 0, failed_tasks: failedTasks = 0 } = useLiveEntities('dead_letters')[0] ?? {};
  const settleMs = 1_000;
  const failed = `state=FAILED&sort=updated&limit=${maxFailures}`;
  const failedAudits = useStreamQuery<AuditRowList>(`lists/audits?${failed}`, ['audit'], { settleMs });
  const failedPlans = useStreamQuery<PlanRowList>(`lists/action-plans?${failed}`, ['action_plan'], { settleMs });
  const openPlans = useOpenPlans();
  const problems = problemsOf({
    checks: deployment.data?.checks,
    services: processes.data?.services,
    cluster: cluster.data,
    deadLetters,
    failedTasks,
    audits: failedAudits.data?.audits ?? [],
    plans: [...(failedPlans.data?.plans ?? []), ...(openPlans.data?.plans ?? [])],
    now: serverClock.now(),
  });
  if (problems.length === 0) return null;
  const isSerious = problems.some((problem) => problem.isSerious);
  return (
    <Alert
      isInline
      isLiveRegion
      variant={isSerious ? 'danger' : 'warning'}
      title={text('overview.attention')}
      component="h2"
    >
      <ul className="vigil-rows">
        {problems.map(({ text: problem, to }) => (
          <li key={`${to} ${problem}`}>{maySee ? <Link to={to}>{plainProse(problem)}</Link> : plainProse(problem)}</li>
        ))}
      </ul>
    </Alert>
  );
}
