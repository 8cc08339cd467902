import { AlertActionLink, Form, PageSection, Wizard, WizardStep } from '@patternfly/react-core';
import { useEffect, useMemo, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { serverClock } from '../../api/server-clock.ts';
import { useNotices } from '../../components/notices.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { parameterPathTitle } from '../../components/parameter-texts.ts';
import { ScopeFields } from '../../components/scope-fields.tsx';
import { Loading, Nothing } from '../../components/states.tsx';
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
import { FoldedParameterFields } from './parameter-fields.tsx';
import { problemsOf } from './parameter-spec.ts';
import { ScheduleFields } from './schedule-fields.tsx';

/** Creates an audit step by step, with a dry run before the end. */
export function AuditWizardPage() {
  const isComplete = useIsComplete();
  const strategies = useLiveEntities('strategy');
  const [query] = useSearchParams();
  if (!isComplete) return <Loading what={text('page.goals')} />;
  const begin = formOf(wizardStartOf(query), strategies);
  if (begin) return <AuditWizard begin={begin} />;
  return <AuditWizard begin={readDraft() ?? emptyForm} />;
}

function AuditWizard({ begin }: { begin: AuditForm }) {
  const { client, session } = useDashboard();
  const allStrategies = useLiveEntities('strategy');
  const [form, setForm] = useState(begin);
  const [query, setQuery] = useSearchParams();
  const [isDraft, setDraft] = useState(begin !== emptyForm && formOf(wizardStartOf(query), allStrategies) === null);
  useEffect(() => {
    if (form !== begin) keepDraft(form);
  }, [form, begin]);
  const toStep = (id: string | number) =>
    setQuery((known) => {
      known.set('step', String(id));
      return known;
    });
  const anew = () => {
    dropDraft();
    setForm(emptyForm);
    setDraft(false);
  };
  const navigate = useNavigate();
  const notices = useNotices();
  const strategies = useMemo(
    () => allStrategies.filter((strategy) => strategy.goal_uuid === form.goal),
    [allStrategies, form.goal],
  );
  // On a phone the steps are behind a button that PatternFly names differently from its text. Starting over creates a
  // new one.
  useEffect(() => document.querySelector('.pf-v6-c-wizard__toggle')?.removeAttribute('aria-label'));
  const strategy = strategies.find((known) => known.uuid === form.strategy);
  const spec = specOf(strategy);
  const problems = strategy ? problemsOf(spec, form.parameters) : [];
  const isScheduled =
    form.auditType !== 'CONTINUOUS' ||
    scheduleProblem(form.interval, new Date(serverClock.now()), session.cron_time_zone) === null;
  const create = async () => {
    try {
      const uuid = await createAudit(client, form, strategy);
      dropDraft();
      notices.success(text('templates.audited'));
      await navigate(`/audits/${uuid}`);
    } catch (error) {
      notices.failure(text('wizard.failed'), error);
    }
  };
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
            actionLinks={<AlertActionLink onClick={anew}>{text('wizard.anew')}</AlertActionLink>}
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
            <Form onSubmit={(event) => event.preventDefault()}>
              {problems.length > 0 && (
                <Alert
                  isInline
                  variant="danger"
                  title={text('wizard.problems', {
                    count: problems.length,
                    names: problems.map((path) => parameterPathTitle(path, spec)).join(', '),
                  })}
                />
              )}
              {Object.keys(spec.properties ?? {}).length === 0 ? (
                <Nothing title={text('wizard.nothingToSet')}>
                  {strategy ? text('wizard.noParameters') : text('wizard.vigilChooses')}
                </Nothing>
              ) : (
                <FoldedParameterFields
                  key={form.strategy}
                  id="parameter"
                  spec={spec}
                  values={form.parameters}
                  onChange={(parameters) => setForm({ ...form, parameters })}
                />
              )}
            </Form>
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
