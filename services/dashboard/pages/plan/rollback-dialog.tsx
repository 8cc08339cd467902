import {
  Alert,
  Button,
  Content,
  ExpandableSection,
  Form,
  Label,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
} from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { dataOf, type paths } from '#libs/client';
import { useNotices } from '../../components/notices.tsx';
import { OutOfDate } from '../../components/out-of-date.tsx';
import { shownState } from '../../components/plan-state.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { Failure, Loading } from '../../components/states.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';
import type { LivePlan } from '../../live/live-entities.ts';
import { emptyRun, RunFields, runOptions } from './run-fields.tsx';

const path = '/v1/action_plans/{ident}/rollback';
type Preview = paths[typeof path]['get']['responses'][200]['content']['application/json'];
type Verdict = NonNullable<Preview['verdict']>;

const verdicts: Readonly<Record<Verdict, { color: 'green' | 'orange' | 'red'; text: string }>> = {
  exact: { color: 'green', text: 'Everything goes back to exactly what it was.' },
  'best-effort': { color: 'orange', text: 'Everything is undone as far as the cloud allows it by then.' },
  impossible: { color: 'red', text: 'Some actions can not be undone; what they did stays.' },
};

interface RollbackDialogProps {
  plan: LivePlan;
  /** Whether it can still be undone. */
  isPossible: boolean;
  onClose: () => void;
}

/** Shows what undoing an ended plan means, asks, and starts it as a plan of its own. */
export function RollbackDialog({ plan, isPossible, onClose }: RollbackDialogProps) {
  const { client } = useDashboard();
  const notices = useNotices();
  const navigate = useNavigate();
  const [run, setRun] = useState(emptyRun);
  const [isBusy, setBusy] = useState(false);
  const params = { path: { ident: plan.uuid } };
  // Asked anew each time: what can be undone changes with every rollback.
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
      notices.success('The rollback has been started');
      onClose();
      await navigate(`/plans/${uuid}`);
    } catch (error) {
      notices.failure('The plan can not be rolled back', error);
      setBusy(false);
    }
  };
  return (
    <Modal isOpen variant="medium" onClose={onClose} aria-label="Roll back the plan">
      <ModalHeader
        title="Roll back the plan"
        description="A new plan undoes what this one did, in reverse order. It can be watched, paused and cancelled like any other."
      />
      <ModalBody>
        {!isBusy && <OutOfDate state={shownState(plan)} isPossible={isPossible} />}
        {preview.isPending && <Loading what="what would be undone" />}
        {preview.isError && (
          <Failure
            title="What would be undone can not be read"
            error={preview.error}
            onRetry={() => void preview.refetch()}
          />
        )}
        {preview.data && <PreviewView preview={preview.data} />}
        {preview.data?.possible && (
          <ExpandableSection toggleText="How and when">
            <Form onSubmit={(event) => event.preventDefault()}>
              <RunFields form={run} onChange={setRun} />
            </Form>
          </ExpandableSection>
        )}
      </ModalBody>
      <ModalFooter>
        {preview.data?.possible && (
          <Button variant="danger" onClick={() => void start()} isLoading={isBusy} isDisabled={isBusy || !isPossible}>
            Roll back the plan
          </Button>
        )}
        <Button variant="link" onClick={onClose}>
          Keep as it is
        </Button>
      </ModalFooter>
    </Modal>
  );
}

function PreviewView({ preview }: { preview: Preview }) {
  const { possible, reason, verdict, actions } = preview;
  return (
    <>
      {!possible && <Alert isInline variant="warning" title="It can not be rolled back now" children={reason} />}
      {possible && verdict && (
        <Content component="p">
          <VerdictLabel verdict={verdict} /> {verdicts[verdict].text}
        </Content>
      )}
      {actions.length > 0 && (
        <div className="vigil-scroll">
          <Table aria-label="What would be undone" variant="compact">
            <Thead>
              <Tr>
                <Th modifier="fitContent">Stage</Th>
                <Th>Undoing means</Th>
                <Th modifier="fitContent">Verdict</Th>
                <Th modifier="fitContent">So far</Th>
              </Tr>
            </Thead>
            <Tbody>
              {actions.map((action) => (
                <Tr key={action.action_uuid}>
                  <Td dataLabel="Stage">{action.stage ?? '–'}</Td>
                  <Td dataLabel="Undoing means">
                    {action.summary}
                    {action.rollback_message && <Content component="small">{action.rollback_message}</Content>}
                  </Td>
                  <Td dataLabel="Verdict">
                    <VerdictLabel verdict={action.verdict} />
                  </Td>
                  <Td dataLabel="So far">
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
      {verdict}
    </Label>
  );
}
