import { PageSection } from '@patternfly/react-core';
import { useMemo } from 'react';
import { PageHeader } from '../../components/page-header.tsx';
import { PageTabs } from '../../components/page-tabs.tsx';
import { Loading, Nothing } from '../../components/states.tsx';
import { useIsComplete, useLiveEntities } from '../../live/use-live.ts';
import { text } from '../../texts/texts.ts';
import { TaskTable } from '../tasks/task-table.tsx';
import { DeadLetterTable } from './dead-letter-table.tsx';

/** Work that failed all attempts: tasks, and messages that no process could handle. */
export function DeadLettersPage() {
  const failed = useFailedTasks().length;
  const letters = useLiveEntities('dead_letters')[0]?.count ?? 0;
  return (
    <>
      <PageHeader title={text('page.deadLetters')}>{text('deadLetters.hint')}</PageHeader>
      <PageSection hasBodyWrapper={false}>
        <PageTabs
          label={text('common.parts')}
          tabs={[
            { key: 'tasks', title: text('deadLetters.tasks'), count: failed, render: () => <FailedTasks /> },
            { key: 'messages', title: text('deadLetters.messages'), count: letters, render: () => <DeadLetterTable /> },
          ]}
        />
      </PageSection>
    </>
  );
}

function useFailedTasks() {
  const tasks = useLiveEntities('task');
  return useMemo(() => tasks.filter((task) => task.state === 'FAILED'), [tasks]);
}

function FailedTasks() {
  const failed = useFailedTasks();
  const isComplete = useIsComplete('task');
  if (!isComplete) return <Loading what={text('deadLetters.tasks')} as="table" />;
  return (
    <TaskTable
      tasks={failed}
      empty={<Nothing title={text('deadLetters.noTasks')}>{text('deadLetters.allDone')}</Nothing>}
    />
  );
}
