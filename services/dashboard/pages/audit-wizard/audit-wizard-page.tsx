import { AlertActionLink, Form, PageSection, Wizard, WizardStep } from '@patternfly/react-core';
import { useEffect, useMemo, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { Strategy } from '#libs/client';
import { serverClock } from '../../api/server-clock.ts';
import { useNotices } from '../../components/notices.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ScopeFields } from '../../components/scope-fields.tsx';
import { Loading } from '../../components/states.tsx';
import { wizardStartOf } from '../../components/wizard-path.ts';
import { Alert } from '../../components/worded-parts.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';
import { useIsComplete, useLiveEntities } from '../../live/use-live.ts';
import { text } from '../../texts/texts.ts';
import { type AuditForm, createAudit, emptyForm, formOf, specOf, withStrategy } from './audit-form.ts';
import { dropDraft, keepDraft, readDraft } from './draft.ts';
import { DryRun } from './dry-run.tsx';
import { GoalFields } from './goal-fields.tsx';
import { scheduleProblem } from './next-runs.ts';
import { problemsOf } from './parameter-spec.ts';
import { ParametersStep } from './parameters-step.tsx';
import { ScheduleFields } from './schedule-fields.tsx';

/** Creates an audit step by step, with a dry run before the end. */
export function AuditWizardPage() {
  const isComplete = useIsComplete();
  const strategies = useLiveEntities('strategy');
  const [query] = useSearchParams();
  if (!isComplete) return <Loading what={text('page.goals')} />;
  const initial = formOf(wizardStartOf(query), strategies);
  if (initial) return <AuditWizard initial={initial} />;
  return <AuditWizard initial={readDraft() ?? emptyForm} />;
}

/** The form, kept as a draft while it differs from `initial`. `isDraft`: whether it was a draft at the start. */
function useDraft(initial: AuditForm, query: URLSearchParams) {
  const strategies = useLiveEntities('strategy');
  const [form, setForm] = useState(initial);
  const [isDraft, setDraft] = useState(initial !== emptyForm && formOf(wizardStartOf(query), strategies) === null);
  useEffect(() => {
    if (form !== initial) keepDraft(form);
  }, [form, initial]);
  const startOver = () => {
    dropDraft();
    setForm(emptyForm);
    setDraft(false);
  };
  return { form, setForm, isDraft, startOver };
}

/** Creates the audit of the form, and shows it. */
function useCreation(form: AuditForm, strategy: Strategy | undefined) {
  const { client } = useDashboard();
  const navigate = useNavigate();
  const notices = useNotices();
  return async () => {
    try {
      const uuid = await createAudit(client, form, strategy);
      dropDraft();
      notices.success(text('templates.audited'));
      await navigate(`/audits/${uuid}`);
    } catch (error) {
      notices.failure(text('wizard.failed'), error);
    }
  };
}

function AuditWizard({ initial }: { initial: AuditForm }) {
  const { session } = useDashboard();
  const allStrategies = useLiveEntities('strategy');
  const [query, setQuery] = useSearchParams();
  const { form, setForm, isDraft, startOver } = useDraft(initial, query);
  const toStep = (id: string | number) =>
    setQuery((known) => {
      known.set('step', String(id));
      return known;
    });
  const navigate = useNavigate();
  const strategies = useMemo(
    () => allStrategies.filter((strategy) => strategy.goal_uuid === form.goal),
    [allStrategies, form.goal],
  );
  // On a phone the steps are behind a button that PatternFly names differently from its text. Starting over creates a
  // new one.
  useEffect(() => document.querySelector('.pf-v6-c-wizard__toggle')?.removeAttribute('aria-label'));
  const strategy = strategies.find((known) => known.uuid === form.strategy);
  const problems = strategy ? problemsOf(specOf(strategy), form.parameters) : [];
  const isScheduled =
    form.auditType !== 'CONTINUOUS' ||
    scheduleProblem(form.interval, new Date(serverClock.now()), session.cron_time_zone) === null;
  const create = useCreation(form, strategy);
  const words = {
    nextButtonText: text('wizard.next'),
    backButtonText: text('wizard.back'),
    cancelButtonText: text('wizard.cancel'),
  };
  return (
    <>
      <PageHeader title={text('audits.create')} above={[{ title: text('page.audits'), to: '/audits' }]} />
      <PageSection hasBodyWrapper={false} isFilled>
        {isDraft && (
          <Alert
            isInline
            variant="info"
            title={text('wizard.draft')}
            actionLinks={<AlertActionLink onClick={startOver}>{text('wizard.startOver')}</AlertActionLink>}
            className="vigil-lead"
          />
        )}
        <Wizard
          key={isDraft ? 'draft' : 'new'}
          height="auto"
          startIndex={form.goal === '' ? 1 : startOf(query.get('step'))}
          onStepChange={(_event, step) => toStep(step.id)}
          onSave={() => void create()}
          onClose={() => void navigate('/audits')}
          navAriaLabel={text('wizard.steps')}
        >
          <WizardStep name={text('wizard.step.goal')} id="goal" footer={{ ...words, isNextDisabled: form.goal === '' }}>
            <GoalFields form={form} strategies={strategies} onChange={setForm} />
          </WizardStep>
          <WizardStep
            name={text('wizard.step.parameters')}
            id="parameters"
            footer={{ ...words, isNextDisabled: problems.length > 0 }}
          >
            <ParametersStep strategy={strategy} problems={problems} form={form} onChange={setForm} />
          </WizardStep>
          <WizardStep name={text('wizard.step.scope')} id="scope" footer={words}>
            <Form onSubmit={(event) => event.preventDefault()}>
              <ScopeFields scope={form.scope} onChange={(scope) => setForm({ ...form, scope })} />
            </Form>
          </WizardStep>
          <WizardStep
            name={text('wizard.step.schedule')}
            id="schedule"
            footer={{ ...words, isNextDisabled: !isScheduled }}
          >
            <Form onSubmit={(event) => event.preventDefault()}>
              <ScheduleFields form={form} onChange={setForm} />
            </Form>
          </WizardStep>
          <WizardStep
            name={text('wizard.step.dry-run')}
            id="dry-run"
            footer={{ ...words, nextButtonText: text('audits.create') }}
          >
            <DryRun
              form={form}
              strategy={strategy}
              strategies={strategies}
              onUse={(other) => setForm(withStrategy(form, other))}
            />
          </WizardStep>
        </Wizard>
      </PageSection>
    </>
  );
}

const steps = ['goal', 'parameters', 'scope', 'schedule', 'dry-run'];

/** Number of a step in the URL, from 1. */
function startOf(id: string | null): number {
  return Math.max(1, steps.indexOf(id ?? '') + 1);
}
