import { Button, Flex } from '@patternfly/react-core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type AuditCreate, dataOf } from '#libs/client';
import { useNotices } from '../../components/notices.tsx';
import { Prose } from '../../components/prose.tsx';
import { rerunAudit } from '../../components/rerun-audit.ts';
import { Alert } from '../../components/worded-parts.tsx';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import type { LiveKinds, LivePlan } from '../../live/live-entities.ts';
import { text } from '../../texts/texts.ts';
import { namesIn, routeOf, subjectOf, typeText } from './action-text.ts';
import { blockedBy } from './plan-lanes.ts';

type Action = LiveKinds['action'];

const mostShown = 3;

interface PlanFailureProps {
  plan: LivePlan;
  actions: readonly Action[];
  onChoose: (uuid: string) => void;
}

/** Failures of a plan: each action with the cloud's message, the actions it blocked, and remedies. */
export function PlanFailure({ plan, actions, onChoose }: PlanFailureProps) {
  const failed = actions.filter(({ state }) => state === 'FAILED');
  if (failed.length === 0) return null;
  const nameOf = namesIn(actions);
  return (
    <Alert
      isInline
      variant="danger"
      title={text('plan.failed', { count: failed.length })}
      component="h2"
      className="vigil-failure"
    >
      <ul className="vigil-rows">
        {failed.slice(0, mostShown).map((action) => (
          <li key={action.uuid}>
            <Button variant="link" isInline onClick={() => onChoose(action.uuid)}>
              {typeText(action.action_type)} {subjectOf(action)}
            </Button>{' '}
            {routeOf(action)}
            <p>
              <Prose text={reasonOf(action)} nameOf={nameOf} />
            </p>
            <Blocked actions={blockedBy(action, actions)} />
          </li>
        ))}
        {failed.length > mostShown && <li>{text('common.andMore', { count: failed.length - mostShown })}</li>}
      </ul>
      {plan.state !== 'ONGOING' && <Remedies plan={plan} failed={failed} actions={actions} />}
    </Alert>
  );
}

/** The cloud's message without Vigil's prefix. */
function reasonOf({ status_message: message }: Action): string {
  return (message ?? text('plan.noFailureReason')).replace(/^Action failed in \w+: /, '');
}

function Blocked({ actions }: { actions: readonly Action[] }) {
  if (actions.length === 0) return <p className="vigil-subtle">{text('plan.blockedNothing')}</p>;
  const names = actions.slice(0, mostShown).map((action) => subjectOf(action) || typeText(action.action_type));
  const more = actions.length - names.length;
  return (
    <p className="vigil-subtle">
      {text('plan.blocked', {
        names: names.join(', '),
        more: more > 0 ? ` ${text('common.andMore', { count: more })}` : '',
      })}
    </p>
  );
}

interface RemediesProps {
  plan: LivePlan;
  failed: readonly Action[];
  actions: readonly Action[];
}

/** New audits: one that proposes the failed actions again, or one like the plan's audit on the current cloud. */
function Remedies({ plan, failed, actions }: RemediesProps) {
  const { client } = useDashboard();
  const notices = useNotices();
  const navigate = useNavigate();
  const mayCreate = useMay('audit:create');
  const [isBusy, setBusy] = useState(false);
  if (!mayCreate || plan.outcome?.rolls_back) return null;
  const make = async (title: string, create: () => Promise<string>) => {
    setBusy(true);
    try {
      const uuid = await create();
      notices.success(text('templates.audited'));
      await navigate(`/audits/${uuid}`);
    } catch (error) {
      notices.failure(title, error);
      setBusy(false);
    }
  };
  const again = [...new Set([...failed, ...failed.flatMap((action) => blockedBy(action, actions))])];
  const retry = async () => (await dataOf(client.api.POST('/v1/audits', { body: retryBody(again) }))).uuid;
  const { audit_uuid: audit } = plan;
  return (
    <Flex gap={{ default: 'gapSm' }}>
      <Button
        variant="secondary"
        size="sm"
        isDisabled={isBusy}
        onClick={() => void make(text('plan.notRetried'), retry)}
      >
        {text('plan.retry')}
      </Button>
      {audit && (
        <Button
          variant="secondary"
          size="sm"
          isDisabled={isBusy}
          onClick={() => void make(text('plan.notAudited'), () => rerunAudit(client, audit))}
        >
          {text('plan.auditAgain')}
        </Button>
      )}
    </Flex>
  );
}

/** An audit that proposes exactly these actions. Its plan is checked and started like any other. */
export function retryBody(actions: readonly Pick<Action, 'action_type' | 'input_parameters'>[]): AuditCreate {
  return {
    goal: 'unclassified',
    strategy: 'actuator',
    audit_type: 'ONESHOT',
    auto_trigger: false,
    force: false,
    parameters: {
      actions: actions.map(({ action_type, input_parameters }) => {
        const { resource_id, ...rest }: Record<string, unknown> = input_parameters;
        return { action_type, input_parameters: rest, ...(typeof resource_id === 'string' ? { resource_id } : {}) };
      }),
    },
  };
}
