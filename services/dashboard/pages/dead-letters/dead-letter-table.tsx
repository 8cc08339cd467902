import { CodeBlock, CodeBlockCode } from '@patternfly/react-core';
import { useMemo } from 'react';
import type { DeadLetter, DeadLetterList } from '../../api/internal-types.ts';
import { timeColumn } from '../../components/columns.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import { Alert } from '../../components/worded-parts.tsx';
import { type Dashboard, useDashboard, useMay } from '../../live/dashboard-context.tsx';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { richText } from '../../texts/rich-text.tsx';
import { text } from '../../texts/texts.ts';

const shownAtMost = 500;

/** Messages of the bus that no process could handle. */
export function DeadLetterTable() {
  const { internal } = useDashboard();
  const mayWrite = useMay('internal:write');
  const letters = useStreamQuery<DeadLetterList>(`dead-letters?limit=${shownAtMost}`, ['dead_letters']);
  const { refetch } = letters;
  const columns = useMemo(() => columnsOf({ internal, mayWrite, refetch }), [internal, mayWrite, refetch]);
  if (letters.isPending) return <Loading what={text('deadLetters.messages')} as="table" />;
  if (!letters.data)
    return <Failure title={text('deadLetters.unreadable')} error={letters.error} onRetry={() => void refetch()} />;
  const { dead_letters: rows, count } = letters.data;
  return (
    <>
      {count > rows.length && (
        <Alert isInline variant="info" title={text('deadLetters.newest', { shown: rows.length, count })} />
      )}
      <DataTable
        label={text('deadLetters.messages')}
        name="messages"
        rows={rows}
        columns={columns}
        rowKey={(letter) => letter.id}
        sortBy={{ index: 4, direction: 'desc' }}
        empty={<Nothing title={text('deadLetters.noMessages')}>{text('deadLetters.noMessagesHint')}</Nothing>}
      />
    </>
  );
}

interface ColumnDeps {
  internal: Dashboard['internal'];
  mayWrite: boolean;
  refetch: () => Promise<unknown>;
}

function columnsOf({ internal, mayWrite, refetch }: ColumnDeps): Column<DeadLetter>[] {
  const change = async (letter: DeadLetter, action: { method: string; suffix: string }) => {
    await internal(`dead-letters/${encodeURIComponent(letter.id)}${action.suffix}`, { method: action.method });
    await refetch();
  };
  return [
    {
      title: text('deadLetters.message'),
      name: 'message',
      value: (letter) => letter.type,
      render: (letter) => letter.type ?? 'unknown',
    },
    { title: text('column.queue'), name: 'queue', value: (letter) => letter.queue },
    {
      title: text('field.reason'),
      name: 'reason',
      value: (letter) => letter.reason,
      render: (letter) => letter.reason ?? '–',
    },
    {
      title: text('column.attempts'),
      name: 'tries',
      value: (letter) => letter.attempt,
      render: (letter) => letter.attempt + 1,
    },
    timeColumn(text('deadLetters.since'), 'dead_at', (letter) => letter.dead_at),
    {
      title: text('column.actions'),
      render: (letter) =>
        mayWrite && (
          <span className="vigil-row-line">
            <ConfirmButton
              label={text('deadLetters.deliver')}
              title={text('deadLetters.confirmDeliver', { message: letter.type ?? text('deadLetters.thisMessage') })}
              run={() => change(letter, { method: 'POST', suffix: '/redrive' })}
              done={text('deadLetters.delivered')}
              variant="link"
            >
              <Body letter={letter} />
            </ConfirmButton>
            <ConfirmButton
              label={text('deadLetters.discard')}
              title={text('deadLetters.confirmDiscard', { message: letter.type ?? text('deadLetters.thisMessage') })}
              run={() => change(letter, { method: 'DELETE', suffix: '' })}
              done={text('deadLetters.discarded')}
              variant="link"
              isDestructive
            >
              {richText('deadLetters.discardHint', { body: <Body letter={letter} /> })}
            </ConfirmButton>
          </span>
        ),
    },
  ];
}

function Body({ letter }: { letter: DeadLetter }) {
  return (
    <CodeBlock>
      <CodeBlockCode>{JSON.stringify(letter.body, null, 2)}</CodeBlockCode>
    </CodeBlock>
  );
}
