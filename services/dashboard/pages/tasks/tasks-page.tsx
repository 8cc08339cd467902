import { PageSection } from '@patternfly/react-core';
import { useMemo } from 'react';
import { ChoiceFilter } from '../../components/choice-filter.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PageTabs } from '../../components/page-tabs.tsx';
import { Loading, Nothing } from '../../components/states.tsx';
import { useQueryValue } from '../../components/use-query-value.ts';
import { useIsComplete, useLiveEntities } from '../../live/use-live.ts';
import { text } from '../../texts/texts.ts';
import { Schedules } from './schedules.tsx';
import { TaskTable } from './task-table.tsx';

const states = ['QUEUED', 'RUNNING', 'RETRYING', 'SUCCEEDED', 'FAILED', 'SUPERSEDED'] as const;

/** Background tasks and their schedules. */
export function TasksPage() {
  return (
    <>
      <PageHeader title={text('page.tasks')}>{text('tasks.hint')}</PageHeader>
      <PageSection hasBodyWrapper={false}>
        <PageTabs
          label={text('common.parts')}
          tabs={[
            { key: 'tasks', title: text('page.tasks'), render: () => <AllTasks /> },
            { key: 'schedules', title: text('tasks.schedules'), render: () => <Schedules /> },
          ]}
        />
      </PageSection>
    </>
  );
}

function AllTasks() {
  const tasks = useLiveEntities('task');
  const isComplete = useIsComplete('task');
  const [state, setState] = useQueryValue('state');
  const rows = useMemo(() => (state === '' ? tasks : tasks.filter((task) => task.state === state)), [tasks, state]);
  if (!isComplete) return <Loading what={text('page.tasks')} as="table" />;
  return (
    <TaskTable
      tasks={rows}
      isFiltered={state !== ''}
      filters={<ChoiceFilter label={text('column.state')} value={state} choices={states} onChange={setState} />}
      empty={<Nothing title={text('tasks.none')} />}
    />
  );
}
