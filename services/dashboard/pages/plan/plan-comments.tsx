import { Button, Form, FormGroup, TextArea } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ActionPlanComment, dataOf } from '#libs/client';
import { FieldHint } from '../../components/form-parts.tsx';
import { useNotices } from '../../components/notices.tsx';
import { Failure, Loading } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { TitledCard } from '../../components/titled-card.tsx';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import type { LivePlan } from '../../live/live-entities.ts';
import { text } from '../../texts/texts.ts';
import './plan-comments.css';

const longest = 2000;

interface PlanCommentsProps {
  plan: LivePlan;
  /** For print: no field for a new comment, and nothing without comments. */
  isReport?: boolean;
}

/** Comments of users on a plan, newest last, with a field for a new one. Nothing without permission to read them. */
export function PlanComments({ plan, isReport = false }: PlanCommentsProps) {
  const { client } = useDashboard();
  const mayRead = useMay('action_plan:get_comments');
  const mayWrite = useMay('action_plan:comment');
  const comments = useQuery({
    // The stream has their number. A change of it triggers a read.
    queryKey: ['plan-comments', plan.uuid, plan.comments ?? null],
    enabled: mayRead,
    staleTime: 0,
    placeholderData: (known) => known,
    queryFn: async () => {
      const params = { path: { ident: plan.uuid } };
      return (await dataOf(client.api.GET('/v1/action_plans/{ident}/comments', { params }))).comments;
    },
  });
  if (!mayRead) return null;
  if (isReport && comments.data?.length === 0) return null;
  return (
    <TitledCard title={text('comments.title')}>
      {comments.data && <CommentList comments={comments.data} />}
      {!comments.data && comments.isError && (
        <Failure title={text('comments.unreadable')} error={comments.error} onRetry={() => void comments.refetch()} />
      )}
      {!comments.data && comments.isPending && <Loading what={text('comments.title')} as="line" />}
      {mayWrite && !isReport && <NewComment planUuid={plan.uuid} onWritten={() => void comments.refetch()} />}
    </TitledCard>
  );
}

function CommentList({ comments }: { comments: readonly ActionPlanComment[] }) {
  if (comments.length === 0) return <p className="vigil-subtle">{text('comments.none')}</p>;
  return (
    <ol className="vigil-comments" aria-label={text('comments.title')} data-testid="plan-comments">
      {comments.map(({ uuid, author, created_at: at, text: words }) => (
        <li key={uuid}>
          <strong title={author?.user_id ?? undefined}>
            {author?.user_name ?? author?.user_id ?? text('comments.unknownAuthor')}
          </strong>{' '}
          <span className="vigil-subtle">
            <Time isFull at={at} />
          </span>
          <p>{words}</p>
        </li>
      ))}
    </ol>
  );
}

function NewComment({ planUuid, onWritten }: { planUuid: string; onWritten: () => void }) {
  const { client } = useDashboard();
  const notices = useNotices();
  const [words, setWords] = useState('');
  const [isBusy, setBusy] = useState(false);
  const write = async () => {
    setBusy(true);
    try {
      const params = { path: { ident: planUuid } };
      await dataOf(client.api.POST('/v1/action_plans/{ident}/comments', { params, body: { text: words.trim() } }));
      setWords('');
      onWritten();
    } catch (error) {
      notices.failure(text('comments.failed'), error);
    }
    setBusy(false);
  };
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        void write();
      }}
    >
      <FormGroup label={text('comments.field')} fieldId="plan-comment">
        <TextArea
          id="plan-comment"
          value={words}
          maxLength={longest}
          resizeOrientation="vertical"
          onChange={(_event, value) => setWords(value)}
        />
        <FieldHint>{text('comments.hint')}</FieldHint>
      </FormGroup>
      <div>
        <Button type="submit" variant="secondary" isLoading={isBusy} isDisabled={isBusy || words.trim() === ''}>
          {text('comments.write')}
        </Button>
      </div>
    </Form>
  );
}
