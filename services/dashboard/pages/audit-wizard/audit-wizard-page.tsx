import {
  Form,
  FormGroup,
  FormSelect,
  FormSelectOption,
  PageSection,
  TextInput,
  Wizard,
  WizardStep,
} from '@patternfly/react-core';
import { useEffect, useMemo, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { Strategy } from '#libs/client';
import { serverClock } from '../../api/server-clock.ts';
import { useNotices } from '../../components/notices.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ScopeFields } from '../../components/scope-fields.tsx';
import { Loading, Nothing } from '../../components/states.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';
import { useIsComplete, useLiveEntities } from '../../live/use-live.ts';
import { type AuditForm, createAudit, emptyForm, specOf, withStrategy } from './audit-form.ts';
import { DryRun } from './dry-run.tsx';
import { scheduleProblem } from './next-runs.ts';
import { ParameterFields } from './parameter-fields.tsx';
import { problemsOf } from './parameter-spec.ts';
import { ScheduleFields } from './schedule-fields.tsx';

/** Creates an audit step by step, with a dry run before the end. */
export function AuditWizardPage() {
  const isComplete = useIsComplete();
  const strategies = useLiveEntities('strategy');
  const [query] = useSearchParams();
  if (!isComplete) return <Loading what="goals and strategies" />;
  const asked = strategies.find((known) => known.name === query.get('strategy'));
  return <AuditWizard begin={asked ? withStrategy({ ...emptyForm, goal: asked.goal_uuid ?? '' }, asked) : emptyForm} />;
}

function AuditWizard({ begin }: { begin: AuditForm }) {
  const { client, session } = useDashboard();
  const allStrategies = useLiveEntities('strategy');
  const [form, setForm] = useState(begin);
  const navigate = useNavigate();
  const notices = useNotices();
  const strategies = useMemo(
    () => allStrategies.filter((strategy) => strategy.goal_uuid === form.goal),
    [allStrategies, form.goal],
  );
  // On a phone the steps are behind a button that PatternFly names other than what it shows.
  useEffect(() => document.querySelector('.pf-v6-c-wizard__toggle')?.removeAttribute('aria-label'), []);
  const strategy = strategies.find((known) => known.uuid === form.strategy);
  const spec = specOf(strategy);
  const problems = strategy ? problemsOf(spec, form.parameters) : [];
  const isScheduled =
    form.auditType !== 'CONTINUOUS' ||
    scheduleProblem(form.interval, new Date(serverClock.now()), session.cron_time_zone) === null;
  const create = async () => {
    try {
      const uuid = await createAudit(client, form, strategy);
      notices.success('The audit has been created');
      await navigate(`/audits/${uuid}`);
    } catch (error) {
      notices.failure('The audit can not be created', error);
    }
  };
  return (
    <>
      <PageHeader title="Create audit" above={[{ title: 'Audits', to: '/audits' }]} />
      <PageSection hasBodyWrapper={false} isFilled>
        <Wizard
          height="auto"
          onSave={() => void create()}
          onClose={() => void navigate('/audits')}
          navAriaLabel="Steps of creating an audit"
        >
          <WizardStep name="Goal" id="goal" footer={{ isNextDisabled: form.goal === '' }}>
            <GoalFields form={form} strategies={strategies} onChange={setForm} />
          </WizardStep>
          <WizardStep name="Parameters" id="parameters" footer={{ isNextDisabled: problems.length > 0 }}>
            <Form onSubmit={(event) => event.preventDefault()}>
              {Object.keys(spec.properties ?? {}).length === 0 ? (
                <Nothing title="Nothing to set">
                  {strategy ? 'This strategy has no parameters.' : 'Vigil chooses the strategy and its parameters.'}
                </Nothing>
              ) : (
                <ParameterFields
                  key={form.strategy}
                  id="parameter"
                  spec={spec}
                  values={form.parameters}
                  onChange={(parameters) => setForm({ ...form, parameters })}
                />
              )}
            </Form>
          </WizardStep>
          <WizardStep name="Scope" id="scope">
            <Form onSubmit={(event) => event.preventDefault()}>
              <ScopeFields scope={form.scope} onChange={(scope) => setForm({ ...form, scope })} />
            </Form>
          </WizardStep>
          <WizardStep name="Schedule" id="schedule" footer={{ isNextDisabled: !isScheduled }}>
            <Form onSubmit={(event) => event.preventDefault()}>
              <ScheduleFields form={form} onChange={setForm} />
            </Form>
          </WizardStep>
          <WizardStep name="Dry run and create" id="dry-run" footer={{ nextButtonText: 'Create audit' }}>
            <DryRun form={form} strategy={strategy} strategies={strategies} />
          </WizardStep>
        </Wizard>
      </PageSection>
    </>
  );
}

interface GoalFieldsProps {
  form: AuditForm;
  strategies: readonly Strategy[];
  onChange: (form: AuditForm) => void;
}

function GoalFields({ form, strategies, onChange }: GoalFieldsProps) {
  const goals = useLiveEntities('goal');
  const sorted = useMemo(() => [...goals].sort((a, b) => a.display_name.localeCompare(b.display_name)), [goals]);
  const chooseGoal = (goal: string) => onChange(withStrategy({ ...form, goal }, undefined));
  const chooseStrategy = (uuid: string) =>
    onChange(
      withStrategy(
        form,
        strategies.find((known) => known.uuid === uuid),
      ),
    );
  return (
    <Form onSubmit={(event) => event.preventDefault()}>
      <FormGroup label="Name" fieldId="audit-name">
        <TextInput
          id="audit-name"
          value={form.name}
          maxLength={63}
          placeholder="Made up when empty"
          onChange={(_event, name) => onChange({ ...form, name })}
        />
      </FormGroup>
      <FormGroup label="Goal" fieldId="audit-goal" isRequired>
        <FormSelect id="audit-goal" value={form.goal} onChange={(_event, goal) => chooseGoal(goal)}>
          <FormSelectOption value="" label="Choose a goal" isPlaceholder />
          {sorted.map((goal) => (
            <FormSelectOption key={goal.uuid} value={goal.uuid} label={goal.display_name} />
          ))}
        </FormSelect>
      </FormGroup>
      <FormGroup label="Strategy" fieldId="audit-strategy">
        <FormSelect
          id="audit-strategy"
          value={form.strategy}
          isDisabled={form.goal === ''}
          onChange={(_event, uuid) => chooseStrategy(uuid)}
        >
          <FormSelectOption value="" label="Vigil chooses" />
          {strategies.map((strategy) => (
            <FormSelectOption key={strategy.uuid} value={strategy.uuid} label={strategy.display_name} />
          ))}
        </FormSelect>
      </FormGroup>
    </Form>
  );
}
