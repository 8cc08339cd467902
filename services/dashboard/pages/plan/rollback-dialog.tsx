import { Button, Content, ExpandableSection, Form, Label } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { dataOf, type paths } from '#libs/client';
import { Dialog } from '../../components/lazy-parts.tsx';
import { useNotices } from '../../components/notices.tsx';
import { OutOfDate } from '../../components/out-of-date.tsx';
import { shownState } from '../../components/plan-states.ts';
import { Prose } from '../../components/prose.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { Failure, Loading } from '../../components/states.tsx';
import { Alert } from '../../components/worded-parts.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';
import type { LivePlan } from '../../live/live-entities.ts';
import { type PlainKey, text } from '../../texts/texts.ts';
import { RunFields } from './run-fields.tsx';
import { emptyRun, runOptions } from './run-options.ts';

const path = '/v1/action_plans/{ident}/rollback';
type Preview = paths[typeof path]['get']['responses'][200]['content']['application/json'];
type Verdict = NonNullable<Preview['verdict']>;

const verdicts: Readonly<Record<Verdict, { color: 'green' | 'orange' | 'red'; meaning: PlainKey }>> = {
  exact: { color: 'green', meaning: 'rollback.exact' },
  'best-effort': { color: 'orange', meaning: 'rollback.bestEffort' },
  impossible: { color: 'red', meaning: 'rollback.impossible' },
};

interface RollbackDialogProps {
  plan: LivePlan;
  /** Whether it can still be rolled back. */
  isPossible: boolean;
  onClose: () => void;
}

/** Shows the effect of rolling back an ended plan, and starts the rollback as a separate plan. */
export function RollbackDialog({ plan, isPossible, onClose }: RollbackDialogProps) {
  const { client } = useDashboard();
  const notices = useNotices();
  const navigate = useNavigate();
  const [run, setRun] = useState(emptyRun);
  const [isBusy, setBusy] = useState(false);
  const params = { path: { ident: plan.uuid } };
  // Read on every opening: every rollback changes the remaining actions.
  const preview = useQuery({
    queryKey: ['plan-rollback', plan.uuid],
    queryFn: () => dataOf(client.api.GET(path, { params })),
    staleTime: 0,
    gcTime: 0,
  });
  const start = async () => {
    setBusy(true);
    try {
      const { uuid } = await dataOf(client.api.POST(path, { params, body: runOptions(run) }));
      notices.success(text('rollback.started'));
      onClose();
      await navigate(`/plans/${uuid}`);
    } catch (error) {
      notices.failure(text('rollback.failed'), error);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={text('rollback.title')}
      description={text('rollback.hint')}
      variant="medium"
      onClose={onClose}
      leave={text('dialog.keep')}
      buttons={
        preview.data?.possible && (
          <Button variant="danger" onClick={() => void start()} isLoading={isBusy} isDisabled={isBusy || !isPossible}>
            {text('rollback.title')}
          </Button>
        )
      }
    >
      {!isBusy && <OutOfDate state={shownState(plan)} isPossible={isPossible} />}
      {preview.isPending && <Loading what={text('rollback.actions')} />}
      {preview.isError && (
        <Failure title={text('rollback.unreadable')} error={preview.error} onRetry={() => void preview.refetch()} />
      )}
      {preview.data && <PreviewView preview={preview.data} />}
      {preview.data?.possible && (
        <ExpandableSection toggleText={text('run.options')}>
          <Form onSubmit={(event) => event.preventDefault()}>
            <RunFields form={run} onChange={setRun} />
          </Form>
        </ExpandableSection>
      )}
    </Dialog>
  );
}

function PreviewView({ preview }: { preview: Preview }) {
  const { possible, reason, verdict, actions } = preview;
  return (
    <>
      {!possible && (
        <Alert isInline variant="warning" title={text('rollback.notNow')} children={<Prose text={reason ?? ''} />} />
      )}
      {possible && verdict && (
        <Content component="p">
          <VerdictLabel verdict={verdict} /> {text(verdicts[verdict].meaning)}
        </Content>
      )}
      {actions.length > 0 && (
        <div className="vigil-scroll" data-testid="table-box">
          <Table aria-label={text('rollback.actions')} variant="compact">
            <Thead>
              <Tr>
                <Th modifier="fitContent">{text('rollback.stage')}</Th>
                <Th>{text('rollback.means')}</Th>
                <Th modifier="fitContent">{text('rollback.verdict')}</Th>
                <Th modifier="fitContent">{text('changes.soFar')}</Th>
              </Tr>
            </Thead>
            <Tbody>
              {actions.map((action) => (
                <Tr key={action.action_uuid}>
                  <Td dataLabel={text('rollback.stage')}>{action.stage ?? '–'}</Td>
                  <Td dataLabel={text('rollback.means')}>
                    <Prose text={action.summary} />
                    {action.rollback_message && <Content component="small">{action.rollback_message}</Content>}
                  </Td>
                  <Td dataLabel={text('rollback.verdict')}>
                    <VerdictLabel verdict={action.verdict} />
                  </Td>
                  <Td dataLabel={text('changes.soFar')}>
                    {action.rollback_state ? <StateLabel state={action.rollback_state} /> : '–'}
                  </Td>
                </Tr>
              ))}
            </Tbody>
          </Table>
        </div>
      )}
    </>
  );
}

function VerdictLabel({ verdict }: { verdict: Verdict }) {
  return (
    <Label isCompact color={verdicts[verdict].color}>
      {text(`rollback.word.${verdict}`)}
    </Label>
  );
}
