import {
  DrawerActions,
  DrawerCloseButton,
  DrawerHead,
  DrawerPanelBody,
  DrawerPanelContent,
  List,
  ListItem,
  Title,
} from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type ActionReason, dataOf, type ProposalReason } from '#libs/client';
import { Facts } from '../../components/facts.tsx';
import { numberText } from '../../components/number-text.ts';
import { Prose } from '../../components/prose.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { Failure, Loading } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import type { LiveKinds } from '../../live/live-entities.ts';
import { constraintOf, wordsOf } from '../../texts/api-names.ts';
import { text } from '../../texts/texts.ts';
import { namesIn, progressOf, routeOf, subjectOf, typeText } from './action-text.ts';
import { SkipButton } from './skip-button.tsx';

type Action = LiveKinds['action'];

interface ActionDetailProps {
  action: Action;
  /** Whether the plan can still be changed. */
  canSkip: boolean;
  onClose: () => void;
}

/** One action: its reason and its result. */
export function ActionDetail({ action, canSkip, onClose }: ActionDetailProps) {
  const mayUpdate = useMay('action:update');
  return (
    <DrawerPanelContent widths={{ default: 'width_33' }} className="vigil-detail">
      <DrawerHead>
        <Title headingLevel="h2" size="lg">
          {typeText(action.action_type)} {subjectOf(action)}
        </Title>
        <DrawerActions>
          <DrawerCloseButton onClick={onClose} aria-label={text('plan.closeAction')} />
        </DrawerActions>
      </DrawerHead>
      <DrawerPanelBody>
        <p className="vigil-lead vigil-row-line">
          <StateLabel state={action.state} />
          {progressOf(action) && <span>{progressOf(action)}</span>}
          <span>{routeOf(action)}</span>
        </p>
        {action.status_message && (
          <p>
            <Prose text={action.status_message} nameOf={namesIn([action])} />
          </p>
        )}
        {canSkip && mayUpdate && action.state === 'PENDING' && (
          <SkipButton uuids={[action.uuid]} label={text('plan.skipThis')} />
        )}
        <ReasonOf action={action} />
        <Title headingLevel="h3" size="md">
          {text('field.parameters')}
        </Title>
        <Facts facts={propertiesOf(action.input_parameters as Record<string, unknown>)} />
      </DrawerPanelBody>
    </DrawerPanelContent>
  );
}

function ReasonOf({ action }: { action: Action }) {
  const { client } = useDashboard();
  const query = useQuery({
    queryKey: ['action-reason', action.uuid, action.state],
    queryFn: () => dataOf(client.api.GET('/v1/actions/{ident}/reason', { params: { path: { ident: action.uuid } } })),
  });
  if (query.isPending) return <Loading what={text('plan.reason')} />;
  if (query.isError) return <Failure title={text('plan.reasonUnreadable')} error={query.error} />;
  const { reason } = query.data;
  return (
    <>
      <Title headingLevel="h3" size="md">
        {text('column.reason')}
      </Title>
      {reason ? <ReasonText reason={reason} /> : <p>{text('plan.noReason')}</p>}
      <Title headingLevel="h3" size="md">
        {text('plan.execution')}
      </Title>
      <Facts facts={executionOf(query.data)} />
    </>
  );
}

/** A strategy's reason with its numbers and the rejected alternatives. */
export function ReasonText({ reason }: { reason: ProposalReason }) {
  return (
    <>
      <p>
        <Prose text={reason.summary} />
      </p>
      {reason.values.length > 0 && (
        <List isPlain>
          {reason.values.map((value, index) => (
            <ListItem key={`${value.quantity}-${value.subject}-${index}`}>
              {value.subject
                ? text('plan.valueOf', { quantity: wordsOf(value.quantity), subject: value.subject })
                : wordsOf(value.quantity)}
              {': '}
              {numberText(value.before, value.unit)} → <strong>{numberText(value.after, value.unit)}</strong>
            </ListItem>
          ))}
        </List>
      )}
      {reason.rejected.length > 0 && (
        <>
          <Title headingLevel="h3" size="md">
            {text('plan.rejected')}
          </Title>
          <List>
            {reason.rejected.map((entry) => (
              <ListItem key={`${entry.alternative}-${entry.because}`}>
                <Prose text={entry.alternative} />:{' '}
                {entry.others
                  ? text('plan.andOthers', { what: constraintOf(entry.because), count: entry.others })
                  : constraintOf(entry.because)}
              </ListItem>
            ))}
          </List>
        </>
      )}
    </>
  );
}

function executionOf(action: ActionReason): [string, ReactNode][] {
  const { rollback_state: state, rollback_message: message } = action;
  return [
    [text('plan.startedAt'), <Time key="started" isFull at={action.started_at} />],
    [text('plan.ended'), <Time key="ended" isFull at={action.ended_at} />],
    ...(state
      ? [
          [
            text('plan.rollback'),
            <span key="rollback">
              <StateLabel state={state} /> {message}
            </span>,
          ] satisfies [string, ReactNode],
        ]
      : []),
  ];
}

function propertiesOf(values: Record<string, unknown>): [string, ReactNode][] {
  return Object.entries(values).map(([name, value]) => [
    wordsOf(name),
    <code key={name}>{typeof value === 'object' ? JSON.stringify(value) : String(value)}</code>,
  ]);
}
