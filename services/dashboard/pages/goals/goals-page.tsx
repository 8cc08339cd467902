import { Button, ExpandableSection, Flex, Label, List, ListItem, PageSection } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { dataOf, type Strategy } from '#libs/client';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { sortedGoals, testGoal } from '../../components/display-names.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { type NamedSpec, parameterDescription } from '../../components/parameter-texts.ts';
import { Prose } from '../../components/prose.tsx';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import { TitledCard } from '../../components/titled-card.tsx';
import { useQueryValue } from '../../components/use-query-value.ts';
import { valueWords } from '../../components/value-words.ts';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import { useIsComplete, useLiveEntities } from '../../live/use-live.ts';
import { displayNameOf, indicatorTitle, phraseOf } from '../../texts/api-names.ts';
import { descriptionOf, text } from '../../texts/texts.ts';

interface Parameter extends NamedSpec {
  name: string;
  type?: string | string[];
  default?: unknown;
  /** Setting of the decision engine that has the default. */
  'x-setting'?: string;
  isRequired: boolean;
}

const parameterColumns = (): Column<Parameter>[] => [
  {
    title: text('goals.parameter'),
    name: 'parameter',
    isWhole: true,
    value: (parameter) => parameter.name,
    render: (parameter) => <code>{parameter.name}</code>,
  },
  {
    title: text('column.type'),
    isWhole: true,
    render: (parameter) => [parameter.type ?? text('common.any')].flat().join(` ${text('common.or')} `),
  },
  {
    title: text('goals.default'),
    render: (parameter) => <DefaultValue parameter={parameter} />,
  },
  {
    title: text('goals.meaning'),
    name: 'meaning',
    value: parameterDescription,
    render: (parameter) => <Prose text={parameterDescription(parameter)} />,
  },
];

/** Default of a parameter in words: its value, the setting that has it, or that the strategy selects it. */
function DefaultValue({ parameter }: { parameter: Parameter }) {
  const { default: value, isRequired, 'x-setting': setting } = parameter;
  if (value !== undefined) return <>{valueWords(value, parameter)}</>;
  if (isRequired) return <>{text('goals.required')}</>;
  if (setting !== undefined) return <code>{setting}</code>;
  return <>{text('goals.automatic')}</>;
}

/** Page of the goals for audits, and their strategies. */
export function GoalsPage() {
  const goals = useLiveEntities('goal');
  const strategies = useLiveEntities('strategy');
  const isComplete = useIsComplete();
  const [shownTests, setShownTests] = useQueryValue('tests');
  const [strategy] = useQueryValue('strategy');
  const hasTests = shownTests === 'yes' || strategy.startsWith(testGoal);
  const sorted = useMemo(
    () => sortedGoals(hasTests ? goals : goals.filter(({ name }) => name !== testGoal)),
    [goals, hasTests],
  );
  return (
    <>
      <PageHeader title={text('page.goals')}>{text('goals.hint')}</PageHeader>
      <PageSection hasBodyWrapper={false}>
        {!isComplete && <Loading what={text('page.goals')} as="table" />}
        {isComplete && sorted.length === 0 && <Nothing title={text('goals.none')}>{text('goals.noneHint')}</Nothing>}
        <div className="vigil-stack">
          {sorted.map((goal) => (
            <TitledCard key={goal.uuid} title={displayNameOf('goal', goal)}>
              {goal.efficacy_specification.length > 0 && (
                <List isPlain>
                  {goal.efficacy_specification.map((indicator) => (
                    <ListItem key={indicator.name}>
                      <strong>{indicatorTitle(indicator.name)}</strong>
                      {indicator.unit ? ` (${indicator.unit})` : ''}:{' '}
                      <Prose text={descriptionOf(indicator.description)} />
                    </ListItem>
                  ))}
                </List>
              )}
              {strategies
                .filter((strategy) => strategy.goal_uuid === goal.uuid)
                .map((strategy) => (
                  <StrategyDetail key={strategy.uuid} strategy={strategy} />
                ))}
            </TitledCard>
          ))}
        </div>
        {isComplete && !hasTests && (
          <Button variant="link" onClick={() => setShownTests('yes')}>
            {text('goals.showTests')}
          </Button>
        )}
      </PageSection>
    </>
  );
}

function StrategyDetail({ strategy }: { strategy: Strategy }) {
  const [open, setOpen] = useQueryValue('strategy');
  const isOpen = open === strategy.name;
  const description = useDescription(strategy.name);
  const mayCreate = useMay('audit:create');
  const { properties, required = [] } = strategy.parameters_spec as {
    properties?: Record<string, Omit<Parameter, 'name' | 'isRequired'>>;
    required?: string[];
  };
  const parameters = Object.entries(properties ?? {}).map(([name, spec]) => ({
    ...{ ...spec, name, isRequired: required.includes(name) },
  }));
  return (
    <ExpandableSection
      toggleText={displayNameOf('strategy', strategy)}
      isExpanded={isOpen}
      onToggle={(_event, next) => setOpen(next ? strategy.name : '')}
    >
      {isOpen && (
        <>
          {description && (
            <p className="vigil-lead">
              <Prose text={descriptionOf(description)} />
            </p>
          )}
          <StrategyNeeds strategy={strategy} />
          {mayCreate && (
            <div className="vigil-lead">
              <Button
                variant="secondary"
                size="sm"
                component={(props) => <Link {...props} to={`/audits/new?strategy=${strategy.name}`} />}
              >
                {text('goals.audit')}
              </Button>
            </div>
          )}
          {parameters.length > 0 && (
            <DataTable
              label={text('goals.parametersOf', { strategy: displayNameOf('strategy', strategy) })}
              name="parameters"
              rows={parameters}
              columns={parameterColumns()}
              rowKey={(parameter) => parameter.name}
            />
          )}
        </>
      )}
    </ExpandableSection>
  );
}

/** Description of a strategy, once a decision engine has published it. Undefined without permission to read plugins. */
function useDescription(name: string): string | null | undefined {
  const { client } = useDashboard();
  const mayRead = useMay('service:get_all');
  const plugins = useQuery({
    queryKey: ['plugins'],
    enabled: mayRead,
    queryFn: () => dataOf(client.api.GET('/v1/plugins')),
  });
  return plugins.data?.plugins.find((plugin) => plugin.kind === 'strategy' && plugin.name === name)?.description;
}

function StrategyNeeds({ strategy }: { strategy: Strategy }) {
  const { client } = useDashboard();
  const state = useQuery({
    queryKey: ['strategy-state', strategy.uuid],
    // Available metrics change without an event, so each opening reads them again.
    staleTime: 0,
    queryFn: () =>
      dataOf(client.api.GET('/v1/strategies/{ident}/state', { params: { path: { ident: strategy.uuid } } })),
  });
  if (state.isPending) return <Loading what={text('goals.state')} as="line" />;
  if (state.isError) return <Failure title={text('goals.stateUnreadable')} error={state.error} />;
  return (
    <Flex gap={{ default: 'gapSm' }} className="vigil-lead" role="group" aria-label={text('goals.requirements')}>
      <strong>{text('goals.needsColumn')}</strong>
      {state.data
        .filter((need) => need.type !== 'Name')
        .flatMap((need) =>
          typeof need.state === 'string'
            ? [{ name: need.type, state: need.state }]
            : need.state.flatMap((entry) =>
                Object.entries(entry).map(([name, value]) => ({ name, state: String(value) })),
              ),
        )
        .map(({ name, state: word }) => (
          <Label key={`${name}-${word}`} color={/not|missing|unavailable/i.test(word) ? 'orange' : 'green'}>
            {phraseOf(name)}: {word}
          </Label>
        ))}
    </Flex>
  );
}
