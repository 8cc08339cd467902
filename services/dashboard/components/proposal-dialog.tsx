import { Alert, Button, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { dataOf, wordsOf } from '#libs/client';
import { useDashboard } from '../live/dashboard-context.tsx';
import { useLiveEntities } from '../live/use-live.ts';
import { Facts } from './facts.tsx';
import { useNotices } from './notices.tsx';
import { wizardPath } from './wizard-path.ts';

/** An audit that somebody is about to ask for. */
export interface Proposal {
  title: string;
  /** Name of the strategy. */
  strategy: string;
  parameters: Readonly<Record<string, unknown>>;
}

interface ProposalDialogProps {
  proposal: Proposal;
  /** What it does, in one or two sentences, and what somebody must state first. */
  children: ReactNode;
  /** Whether it may be asked for; default yes. */
  isReady?: boolean;
  onClose: () => void;
}

/** Asks for a proposal with everything filled in: an audit that runs once and starts nothing. The wizard can take it over. */
export function ProposalDialog({ proposal, children, isReady = true, onClose }: ProposalDialogProps) {
  const { title, parameters } = proposal;
  const { client } = useDashboard();
  const navigate = useNavigate();
  const notices = useNotices();
  const [isBusy, setBusy] = useState(false);
  const strategy = useLiveEntities('strategy').find(({ name }) => name === proposal.strategy);
  const propose = async () => {
    setBusy(true);
    const body = {
      audit_type: 'ONESHOT' as const,
      goal: strategy?.goal_uuid ?? '',
      strategy: strategy?.uuid ?? '',
      parameters: { ...parameters },
      auto_trigger: false,
      force: false,
    };
    try {
      const { uuid } = await dataOf(client.api.POST('/v1/audits', { body }));
      await navigate(`/audits/${uuid}`);
    } catch (error) {
      notices.failure('This cannot be proposed', error);
      setBusy(false);
    }
  };
  return (
    <Modal isOpen variant="small" onClose={onClose} aria-label={title}>
      <ModalHeader title={title} />
      <ModalBody>
        {children}
        {strategy ? (
          <Facts
            facts={[
              ['Strategy', strategy.display_name],
              ...Object.entries(parameters).map(
                ([name, value]) => [wordsOf(name), <code key={name}>{[value].flat().join(', ')}</code>] as const,
              ),
            ]}
          />
        ) : (
          <Alert isInline isPlain variant="warning" title="No decision engine has loaded the strategy for this." />
        )}
        <p>An audit makes a plan. Nothing is changed before somebody starts that plan.</p>
      </ModalBody>
      <ModalFooter>
        <Button isLoading={isBusy} isDisabled={isBusy || !isReady || !strategy} onClick={() => void propose()}>
          Propose a plan
        </Button>
        <Button
          variant="secondary"
          isDisabled={!isReady || !strategy}
          onClick={() => void navigate(wizardPath({ strategy: proposal.strategy, parameters }))}
        >
          Change in the wizard
        </Button>
        <Button variant="link" onClick={onClose}>
          Not now
        </Button>
      </ModalFooter>
    </Modal>
  );
}
