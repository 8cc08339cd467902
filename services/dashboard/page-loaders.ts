import type { ComponentType } from 'react';
import { dashboardPath } from './api/base-url.ts';
import { valuesInPath } from './shell/values-in-path.ts';
import { loadDescriptions, loadPageTexts, loadSentences } from './texts/languages.ts';

type LoadPage = () => Promise<ComponentType>;

/** Loads a page with the texts that all pages share, and translated sentences of the server. */
function withTexts(load: LoadPage): LoadPage {
  return async () => {
    const [component] = await Promise.all([load(), loadPageTexts(), loadSentences()]);
    return component;
  };
}

/** As `withTexts`, also with descriptions of goals, strategies and parameters. */
function withDescriptions(load: LoadPage): LoadPage {
  return withTexts(async () => {
    const [component] = await Promise.all([load(), loadDescriptions()]);
    return component;
  });
}

/** The code of each page by path. The texts of the overview and the lists are loaded with the frame. */
export const pageLoaders: Record<string, LoadPage> = {
  overview: async () => (await import('./pages/overview/overview-page.tsx')).OverviewPage,
  cluster: withTexts(async () => (await import('./pages/cluster/cluster-page.tsx')).ClusterPage),
  'cluster/past': withTexts(async () => (await import('./pages/past/past-page.tsx')).PastPage),
  'cluster/hosts/:hostname': withTexts(async () => (await import('./pages/host/host-page.tsx')).HostPage),
  'cluster/instances/:uuid': withTexts(async () => (await import('./pages/instance/instance-page.tsx')).InstancePage),
  'what-if': withTexts(async () => (await import('./pages/what-if/what-if-page.tsx')).WhatIfPage),
  rules: withTexts(async () => (await import('./pages/rules/rules-page.tsx')).RulesPage),
  trends: withTexts(async () => (await import('./pages/trends/trends-page.tsx')).TrendsPage),
  'trends/report': withTexts(async () => (await import('./pages/period/period-report-page.tsx')).PeriodReportPage),
  goals: withDescriptions(async () => (await import('./pages/goals/goals-page.tsx')).GoalsPage),
  templates: withTexts(async () => (await import('./pages/templates/templates-page.tsx')).TemplatesPage),
  services: withTexts(async () => (await import('./pages/services/services-page.tsx')).ServicesPage),
  tasks: withTexts(async () => (await import('./pages/tasks/tasks-page.tsx')).TasksPage),
  'dead-letters': withTexts(async () => (await import('./pages/dead-letters/dead-letters-page.tsx')).DeadLettersPage),
  'audit-log': withTexts(async () => (await import('./pages/audit-log/audit-log-page.tsx')).AuditLogPage),
  audits: async () => (await import('./pages/audits/audits-page.tsx')).AuditsPage,
  'audits/new': withDescriptions(
    async () => (await import('./pages/audit-wizard/audit-wizard-page.tsx')).AuditWizardPage,
  ),
  'audits/:uuid': withTexts(async () => (await import('./pages/audit/audit-page.tsx')).AuditPage),
  plans: async () => (await import('./pages/plans/plans-page.tsx')).PlansPage,
  'plans/:uuid': withTexts(async () => (await import('./pages/plan/plan-page.tsx')).PlanPage),
  'plans/:uuid/report': withTexts(async () => (await import('./pages/plan/plan-report-page.tsx')).PlanReportPage),
};

/** Loads the code of the page of the current URL before it is shown: it takes as long as the session to load. */
export function preloadPage(): void {
  const path = location.pathname.slice(dashboardPath().length);
  const found = Object.keys(pageLoaders).find((pattern) => valuesInPath(pattern, path));
  // The page itself reports a failure.
  pageLoaders[found ?? 'overview']?.().catch(() => undefined);
}
