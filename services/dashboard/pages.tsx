import { type ComponentType, lazy } from 'react';
import { BrowserRouter, Link, Navigate, Route, Routes, useLocation } from 'react-router';
import { dashboardPath } from './api/base-url.ts';
import { Nothing } from './components/states.tsx';
import { Shell } from './shell/shell.tsx';
import { loadDescriptions, loadPageTexts } from './texts/languages.ts';
import { text } from './texts/texts.ts';

/**
 * A page with its texts, both loaded when it is opened. Except for the overview and the lists, whose texts are loaded
 * first, pages share their texts.
 */
function page(load: () => Promise<ComponentType>) {
  return lazy(async () => {
    const [component] = await Promise.all([load(), loadPageTexts()]);
    return { default: component };
  });
}

const Overview = lazy(async () => ({ default: (await import('./pages/overview/overview-page.tsx')).OverviewPage }));
const Audits = lazy(async () => ({ default: (await import('./pages/audits/audits-page.tsx')).AuditsPage }));
const Plans = lazy(async () => ({ default: (await import('./pages/plans/plans-page.tsx')).PlansPage }));
const AuditDetail = page(async () => (await import('./pages/audit/audit-page.tsx')).AuditPage);
const AuditWizard = page(async () => {
  const [{ AuditWizardPage }] = await Promise.all([
    import('./pages/audit-wizard/audit-wizard-page.tsx'),
    loadDescriptions(),
  ]);
  return AuditWizardPage;
});
const Plan = page(async () => (await import('./pages/plan/plan-page.tsx')).PlanPage);
const PlanReport = page(async () => (await import('./pages/plan/plan-report-page.tsx')).PlanReportPage);
const Cluster = page(async () => (await import('./pages/cluster/cluster-page.tsx')).ClusterPage);
const Past = page(async () => (await import('./pages/past/past-page.tsx')).PastPage);
const Host = page(async () => (await import('./pages/host/host-page.tsx')).HostPage);
const Instance = page(async () => (await import('./pages/instance/instance-page.tsx')).InstancePage);
const WhatIf = page(async () => (await import('./pages/what-if/what-if-page.tsx')).WhatIfPage);
const Rules = page(async () => (await import('./pages/rules/rules-page.tsx')).RulesPage);
const Trends = page(async () => (await import('./pages/trends/trends-page.tsx')).TrendsPage);
const PeriodReport = page(async () => (await import('./pages/period/period-report-page.tsx')).PeriodReportPage);
const Goals = page(async () => {
  const [{ GoalsPage }] = await Promise.all([import('./pages/goals/goals-page.tsx'), loadDescriptions()]);
  return GoalsPage;
});
const Templates = page(async () => (await import('./pages/templates/templates-page.tsx')).TemplatesPage);
const Services = page(async () => (await import('./pages/services/services-page.tsx')).ServicesPage);
const Tasks = page(async () => (await import('./pages/tasks/tasks-page.tsx')).TasksPage);
const DeadLetters = page(async () => (await import('./pages/dead-letters/dead-letters-page.tsx')).DeadLettersPage);
const AuditLog = page(async () => (await import('./pages/audit-log/audit-log-page.tsx')).AuditLogPage);

function NoSuchPage() {
  const { pathname } = useLocation();
  return (
    <Nothing title={text('shell.noSuchPage')} action={<Link to="/overview">{text('shell.toOverview')}</Link>}>
      {text('shell.noSuchPageHint', { path: pathname })}
    </Nothing>
  );
}

/** All pages by path. A page's code is loaded when it is opened. */
export function Pages() {
  return (
    <BrowserRouter basename={dashboardPath()}>
      <Routes>
        <Route element={<Shell />}>
          <Route index element={<Navigate to="/overview" replace />} />
          <Route path="overview" element={<Overview />} />
          <Route path="cluster" element={<Cluster />} />
          <Route path="cluster/past" element={<Past />} />
          <Route path="cluster/hosts/:hostname" element={<Host />} />
          <Route path="cluster/instances/:uuid" element={<Instance />} />
          <Route path="what-if" element={<WhatIf />} />
          <Route path="rules" element={<Rules />} />
          <Route path="trends" element={<Trends />} />
          <Route path="trends/report" element={<PeriodReport />} />
          <Route path="goals" element={<Goals />} />
          <Route path="templates" element={<Templates />} />
          <Route path="services" element={<Services />} />
          <Route path="tasks" element={<Tasks />} />
          <Route path="dead-letters" element={<DeadLetters />} />
          <Route path="audit-log" element={<AuditLog />} />
          <Route path="audits" element={<Audits />} />
          <Route path="audits/new" element={<AuditWizard />} />
          <Route path="audits/:uuid" element={<AuditDetail />} />
          <Route path="plans" element={<Plans />} />
          <Route path="plans/:uuid" element={<Plan />} />
          <Route path="plans/:uuid/report" element={<PlanReport />} />
          <Route path="*" element={<NoSuchPage />} />
        </Route>
      </Routes>
    </BrowserRouter>
  );
}
