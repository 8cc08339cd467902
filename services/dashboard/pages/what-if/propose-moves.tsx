import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import type { WhatIf } from '#libs/client';
import { type Proposal, ProposalDialog } from '../../components/proposal-dialog.tsx';
import { useMay } from '../../live/dashboard-context.tsx';
import { text } from '../../texts/texts.ts';

/** Proposes possible moves as a plan, by an audit that starts nothing. Nothing without the permission for audits. */
export function ProposeMoves({ moves }: Pick<WhatIf, 'moves'>) {
  const mayAudit = useMay('audit:create');
  const [isOpen, setOpen] = useState(false);
  if (!mayAudit || moves.length === 0) return null;
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        {text('whatIf.makePlan')}
      </Button>
      {isOpen && (
        <ProposalDialog proposal={proposalOf(moves)} showsParameters={false} onClose={() => setOpen(false)}>
          <p>{text('whatIf.makePlanHint', { count: moves.length })}</p>
        </ProposalDialog>
      )}
    </>
  );
}

function proposalOf(moves: WhatIf['moves']): Proposal {
  const actions = moves.map(({ instance, from, to, way }) => ({
    action_type: 'migrate',
    resource_id: instance,
    input_parameters: { migration_type: way, source_node: from, destination_node: to },
  }));
  return { title: text('whatIf.makePlan'), strategy: 'actuator', parameters: { actions } };
}
