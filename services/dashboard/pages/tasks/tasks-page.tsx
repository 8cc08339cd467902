import { PageSection } from '@patternfly/react-core';
import { useMemo } from 'react';
import { ChoiceFilter } from '../../components/choice-filter.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PageTabs } from '../../components/page-tabs.tsx';
import { Loading, Nothing } from '../../components/states.tsx';
import { useQueryValue } from '../../components/use-query-value.ts';
import { useIsComplete, useLiveEntities } from '../../live/use-live.ts';
import { Schedules } from './schedules.tsx';
import { TaskTable } from './task-table.tsx';

const states = ['QUEUED', 'RUNNING', 'RETRYING', 'SUCCEEDED', 'FAILED', 'SUPERSEDED'] as const;

/** Background tasks and their schedules. */
export function TasksPage() {
  return (
    <>
      <PageHeader title="Tasks">Background work: what runs and ran, and what runs by the clock.</PageHeader>
      <PageSection hasBodyWrapper={false}>
        <PageTabs
          label="Parts of the page"
          tabs={[
            { key: 'tasks', title: 'Tasks', render: () => <AllTasks /> },
            { key: 'schedules', title: 'Schedules', render: () => <Schedules /> },
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
  if (!isComplete) return <Loading what="tasks" />;
  return (
    <TaskTable
      tasks={rows}
      isFiltered={state !== ''}
      filters={<ChoiceFilter label="State" value={state} choices={states} onChange={setState} />}
      empty={<Nothing title="No task has run yet" />}
    />
  );
}
