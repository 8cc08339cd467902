import { Button } from '@patternfly/react-core';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { dataOf } from '#libs/client';
import { useDashboard } from '../live/dashboard-context.tsx';
import { useIsComplete, useLiveEntities } from '../live/use-live.ts';
import { displayNameOf, wordsOf } from '../texts/api-names.ts';
import { text } from '../texts/texts.ts';
import { Facts } from './facts.tsx';
import { Dialog } from './lazy-parts.tsx';
import { useNotices } from './notices.tsx';
import { Loading } from './states.tsx';
import { wizardPath } from './wizard-path.ts';
import { Alert } from './worded-parts.tsx';

/** An audit before its request. */
export interface Proposal {
  title: string;
  /** Name of the strategy. */
  strategy: string;
  parameters: Readonly<Record<string, unknown>>;
}

interface ProposalDialogProps {
  proposal: Proposal;
  /** Its effect in one or two sentences, and required confirmations. */
  children: ReactNode;
  /** Whether the values are listed. Default true. */
  showsParameters?: boolean;
  /** Whether the request is possible. Default true. */
  isReady?: boolean;
  onClose: () => void;
}

/**
 * Proposes a plan with all values filled in: by an audit that runs once and starts nothing. The wizard can take over
 * the values.
 */
export function ProposalDialog({
  proposal,
  children,
  showsParameters = true,
  isReady = true,
  onClose,
}: ProposalDialogProps) {
  const { title, parameters } = proposal;
  const { client } = useDashboard();
  const navigate = useNavigate();
  const notices = useNotices();
  const [isBusy, setBusy] = useState(false);
  const strategy = useLiveEntities('strategy').find(({ name }) => name === proposal.strategy);
  const isComplete = useIsComplete('strategy');
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
      notices.failure(text('proposal.failed'), error);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      buttons={
        <>
          <Button isLoading={isBusy} isDisabled={isBusy || !isReady || !strategy} onClick={() => void propose()}>
            {text('proposal.propose')}
          </Button>
          <Button
            variant="secondary"
            isDisabled={!isReady || !strategy}
            onClick={() => void navigate(wizardPath({ strategy: proposal.strategy, parameters }))}
          >
            {text('proposal.wizard')}
          </Button>
        </>
      }
    >
      {children}
      {!strategy && !isComplete && <Loading what={text('column.strategy')} />}
      {strategy && (
        <Facts
          facts={[
            [text('column.strategy'), displayNameOf('strategy', strategy)],
            ...Object.entries(showsParameters ? parameters : {}).map(
              ([name, value]) => [wordsOf(name), <code key={name}>{[value].flat().join(', ')}</code>] as const,
            ),
          ]}
        />
      )}
      {!strategy && isComplete && <Alert isInline isPlain variant="warning" title={text('proposal.noStrategy')} />}
      <p>{text('proposal.hint')}</p>
    </Dialog>
  );
}
