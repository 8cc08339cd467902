import { Button, Checkbox } from '@patternfly/react-core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { ClusterHost } from '../../api/cluster-types.ts';
import type { PlacementRuleCreate } from '../../api/find-types.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { type Proposal, ProposalDialog } from '../../components/proposal-dialog.tsx';
import { whatIfPath } from '../../components/what-if-path.ts';
import { wizardPath } from '../../components/wizard-path.ts';
import { Alert } from '../../components/worded-parts.tsx';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import { useClusterSummary } from '../../live/use-cluster-summary.ts';
import { useLiveEntities } from '../../live/use-live.ts';
import { richText } from '../../texts/rich-text.tsx';
import { text } from '../../texts/texts.ts';
import { balanceLoad, emptyHost, evacuateHost } from './host-proposals.ts';

type Act = 'empty' | 'balance' | 'evacuate';

/** Actions on a host: each button leads to a proposal, or to a rule. Nothing changes without a confirmation. */
export function HostActions({ host }: { host: ClusterHost }) {
  const mayAudit = useMay('audit:create');
  const canRequest = useMay('data_model:what_if');
  const [act, setAct] = useState<Act | null>(null);
  const close = () => setAct(null);
  const isUp = host.state === 'up';
  return (
    <span className="vigil-row-line">
      {mayAudit && isUp && (
        <>
          <Button variant="secondary" onClick={() => setAct('empty')}>
            {text('host.empty')}
          </Button>
          <Button variant="secondary" onClick={() => setAct('balance')}>
            {text('host.balance')}
          </Button>
        </>
      )}
      {mayAudit && !isUp && (
        <Button variant="secondary" onClick={() => setAct('evacuate')}>
          {text('host.evacuate')}
        </Button>
      )}
      {canRequest && (
        <Button
          variant="secondary"
          component={(props) => (
            <Link {...props} to={whatIfPath({ question: 'lose', kind: 'host', names: [host.hostname] })} />
          )}
        >
          {text('whatIf.ofHost')}
        </Button>
      )}
      <LeaveOut hostname={host.hostname} mayAudit={mayAudit} />
      {act === 'empty' && (
        <ProposalDialog proposal={emptyHost(host.hostname)} onClose={close}>
          <p>{text('host.emptyHint')}</p>
        </ProposalDialog>
      )}
      {act === 'balance' && <BalanceDialog host={host} onClose={close} />}
      {act === 'evacuate' && <EvacuateDialog hostname={host.hostname} onClose={close} />}
    </span>
  );
}

interface HostDialogProps {
  onClose: () => void;
}

function BalanceDialog({ host, onClose }: HostDialogProps & { host: ClusterHost }) {
  const summary = useClusterSummary();
  const { proposal, why } = balanceLoad(host, summary.data?.totals.cpu_load?.mean ?? null);
  return (
    <ProposalDialog proposal={proposal} isReady={!summary.isPending} onClose={onClose}>
      <p>{why}</p>
    </ProposalDialog>
  );
}

function EvacuateDialog({ hostname, onClose }: HostDialogProps & { hostname: string }) {
  const [isFenced, setFenced] = useState(false);
  const proposal: Proposal = evacuateHost(hostname);
  return (
    <ProposalDialog proposal={proposal} isReady={isFenced} onClose={onClose}>
      <Alert isInline variant="warning" title={text('host.fenceTitle')}>
        {text('host.fenceHint', { host: hostname })}
      </Alert>
      <Checkbox
        id="host-is-fenced"
        label={text('host.fenced', { host: hostname })}
        isChecked={isFenced}
        onChange={(_event, next) => setFenced(next)}
        className="vigil-lead"
      />
    </ProposalDialog>
  );
}

/** Creates or deletes the rule that keeps instances off the host. */
function LeaveOut({ hostname, mayAudit }: { hostname: string; mayAudit: boolean }) {
  const { internal } = useDashboard();
  const mayWrite = useMay('internal:write');
  const rules = useLiveEntities('placement_rule');
  const own = rules.find(
    ({ kind, enabled, hosts, instances }) =>
      kind === 'avoid_hosts' &&
      enabled &&
      JSON.stringify(hosts) === JSON.stringify({ names: [hostname] }) &&
      JSON.stringify(instances) === JSON.stringify({ names: ['*'] }),
  );
  if (!mayWrite) return null;
  if (own)
    return (
      <ConfirmButton
        label={text('host.include')}
        title={text('host.removeRule', { rule: own.name })}
        run={() => internal(`placement-rules/${own.uuid}`, { method: 'DELETE' })}
        done={text('host.included')}
      >
        {text('host.includeHint', { host: hostname })}
      </ConfirmButton>
    );
  const rule: PlacementRuleCreate = {
    name: `leave out ${hostname}`,
    description: `No plan moves anything to ${hostname}.`,
    kind: 'avoid_hosts',
    instances: { names: ['*'] },
    hosts: { names: [hostname] },
  };
  return (
    <ConfirmButton
      label={text('host.exclude')}
      title={text('host.confirmExclude', { host: hostname })}
      run={() => internal('placement-rules', { method: 'POST', body: rule })}
      done={text('host.excluded')}
    >
      <p>{text('host.excludeHint', { host: hostname })}</p>
      {mayAudit && (
        <p>
          {richText('host.oneAudit', {
            link: <Link to={wizardPath({ leftOut: [hostname] })}>{text('host.oneAuditLink')}</Link>,
          })}
        </p>
      )}
    </ConfirmButton>
  );
}
