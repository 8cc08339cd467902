import { Button, Flex, Form, FormGroup, TextArea } from '@patternfly/react-core';
import { useState } from 'react';
import { dataOf } from '#libs/client';
import { FieldHint } from '../../components/form-parts.tsx';
import { Dialog } from '../../components/lazy-parts.tsx';
import { useNotices } from '../../components/notices.tsx';
import { waitsForApproval } from '../../components/plan-states.ts';
import { fullTime } from '../../components/time.tsx';
import { Alert } from '../../components/worded-parts.tsx';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import type { LivePlan } from '../../live/live-entities.ts';
import { text } from '../../texts/texts.ts';
import { Staleness, usePlanStaleness } from './plan-staleness.tsx';

type Word = 'approve' | 'refuse';

const longestComment = 1000;
const variants = { wanted: 'warning', given: 'success', refused: 'danger' } as const;

/** Approval of a plan by a second person, with the buttons of an approver. Hidden unless a rule requires it. */
export function PlanApproval({ plan }: { plan: LivePlan }) {
  const mayDecide = useMay('action_plan:approve');
  const [word, setWord] = useState<Word | null>(null);
  const { approval } = plan;
  if (!approval?.approval) return null;
  const isOpen = plan.state === 'RECOMMENDED';
  const by = approval.decided_by?.user_name ?? approval.decided_by?.user_id ?? '';
  return (
    <>
      <Alert
        isInline
        variant={variants[approval.approval]}
        title={text(`approval.${approval.approval}`, { by, time: approval.at ? fullTime(approval.at) : '' })}
        data-testid="plan-approval"
      >
        {approval.reason && <p>{approval.reason}</p>}
        {approval.void_because && <p>{text('approval.void', { reason: approval.void_because })}</p>}
        {approval.comment && <p>{text('approval.comment', { comment: approval.comment })}</p>}
        {isOpen && approval.starts_when_approved && <p>{text('approval.startsWhenApproved')}</p>}
        {mayDecide && isOpen && (
          <Flex gap={{ default: 'gapSm' }}>
            {waitsForApproval(plan) && <Button onClick={() => setWord('approve')}>{text('approval.approve')}</Button>}
            <Button variant="secondary" isDanger onClick={() => setWord('refuse')}>
              {text('approval.refuse')}
            </Button>
          </Flex>
        )}
      </Alert>
      {word && <ApprovalDialog plan={plan} word={word} isPossible={isOpen} onClose={() => setWord(null)} />}
    </>
  );
}

interface DialogProps {
  plan: LivePlan;
  word: Word;
  isPossible: boolean;
  onClose: () => void;
}

/** Decides on a plan, with a comment. */
function ApprovalDialog({ plan, word, isPossible, onClose }: DialogProps) {
  const { client } = useDashboard();
  const notices = useNotices();
  const staleness = usePlanStaleness(plan.uuid);
  const [comment, setComment] = useState('');
  const [isConfirmed, setConfirmed] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const isRefusal = word === 'refuse';
  const isMissing = isRefusal ? comment.trim() === '' : staleness.data?.stale === true && !isConfirmed;
  const decide = async () => {
    setBusy(true);
    const params = { path: { ident: plan.uuid } };
    const given = comment.trim();
    try {
      if (isRefusal)
        await dataOf(client.api.POST('/v1/action_plans/{ident}/refuse', { params, body: { comment: given } }));
      else {
        const body = { ...(given ? { comment: given } : {}), ...(isConfirmed ? { force_stale: true } : {}) };
        await dataOf(client.api.POST('/v1/action_plans/{ident}/approve', { params, body }));
      }
      notices.success(text(`approval.${word}Done`));
      onClose();
    } catch (error) {
      notices.failure(text(`approval.${word}Failed`), error);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={text(`approval.${word}Title`)}
      description={text(`approval.${word}Hint`)}
      onClose={onClose}
      buttons={
        <Button
          variant={isRefusal ? 'danger' : 'primary'}
          onClick={() => void decide()}
          isLoading={isBusy}
          isDisabled={isBusy || !isPossible || isMissing}
        >
          {text(`approval.${word}`)}
        </Button>
      }
    >
      {!isRefusal && (
        <Staleness
          query={staleness}
          isConfirmed={isConfirmed}
          onConfirm={setConfirmed}
          confirmText={text('approval.forceStale')}
        />
      )}
      <Form onSubmit={(event) => event.preventDefault()}>
        <FormGroup label={text('approval.commentField')} fieldId="approval-comment" isRequired={isRefusal}>
          <TextArea
            id="approval-comment"
            value={comment}
            maxLength={longestComment}
            onChange={(_event, value) => setComment(value)}
          />
          <FieldHint>{text('approval.commentHint')}</FieldHint>
        </FormGroup>
      </Form>
    </Dialog>
  );
}
