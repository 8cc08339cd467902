import { Button, ExpandableSection } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { dataOf } from '#libs/client';
import { durationPhrase } from '../../components/duration-phrase.ts';
import { PlanProgress } from '../../components/plan-progress.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { Loading, Nothing } from '../../components/states.tsx';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import { hasEnded } from '../../live/ended-entities.ts';
import type { LiveKinds, LivePlan } from '../../live/live-entities.ts';
import { richText } from '../../texts/rich-text.tsx';
import { text } from '../../texts/texts.ts';
import { progressOf, routeOf, subjectOf, typeText } from './action-text.ts';
import { criticalPath, type Lane, lanesOf } from './plan-lanes.ts';
import { useActionTimes } from './use-action-times.ts';
import { useNow } from './use-now.ts';
import { usePlanDuration } from './use-plan-duration.ts';

type Action = LiveKinds['action'];

interface PlanRunProps {
  plan: LivePlan;
  actions: readonly Action[];
  onChoose: (uuid: string) => void;
}

/** Initially open groups beside a single one, and listed actions of a group. */
const openLanes = 3;
const mostListed = 100;

/** The run of a plan: the time left, then its actions by host, failed and running ones first. */
export function PlanRun({ plan, actions, onChoose }: PlanRunProps) {
  const lanes = useMemo(() => lanesOf(actions), [actions]);
  if (actions.length === 0) return <Nothing title={text('plan.noActions')} />;
  return (
    <>
      {!hasEnded(plan.state) && <TimeLeft planUuid={plan.uuid} actions={actions} onChoose={onChoose} />}
      <Lanes label={text('plan.lanes')} lanes={lanes.filter((lane) => !isDone(lane))} onChoose={onChoose} />
      <DoneLanes lanes={lanes.filter(isDone)} onChoose={onChoose} isAll={lanes.every(isDone)} />
    </>
  );
}

/** Whether all of its actions succeeded. */
const isDone = ({ by_state: states }: Lane) => Object.keys(states).every((state) => state === 'SUCCEEDED');

interface LanesProps {
  label: string;
  lanes: readonly Lane<Action>[];
  onChoose: (uuid: string) => void;
}

function Lanes({ label, lanes, onChoose }: LanesProps) {
  if (lanes.length === 0) return null;
  return (
    <ul className="vigil-lanes" aria-label={label}>
      {lanes.map((lane, at) => (
        <LaneRow
          key={lane.title}
          lane={lane}
          isOpen={lanes.length === 1 || (at < openLanes && isUrgent(lane))}
          onChoose={onChoose}
        />
      ))}
    </ul>
  );
}

/** Completed actions, collapsed. */
function DoneLanes({ lanes, onChoose, isAll }: Omit<LanesProps, 'label'> & { isAll: boolean }) {
  const [chosen, setOpen] = useState<boolean | null>(null);
  // After the end there is nothing else to show.
  const isOpen = chosen ?? isAll;
  const count = lanes.reduce((sum, { actions }) => sum + actions.length, 0);
  if (count === 0) return null;
  return (
    <ExpandableSection
      toggleText={text('plan.doneActions', { count })}
      isExpanded={isOpen}
      onToggle={(_event, next) => setOpen(next)}
    >
      {isOpen && <Lanes label={text('plan.doneLanes')} lanes={lanes} onChoose={onChoose} />}
    </ExpandableSection>
  );
}

const isUrgent = ({ by_state: states }: Lane) => 'FAILED' in states || 'ONGOING' in states || 'CANCELLING' in states;

interface LaneRowProps {
  lane: Lane<Action>;
  isOpen: boolean;
  onChoose: (uuid: string) => void;
}

function LaneRow({ lane, isOpen: isUrgentNow, onChoose }: LaneRowProps) {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOpen = chosen ?? isUrgentNow;
  const shown = lane.actions.slice(0, mostListed);
  const left = lane.actions.length - shown.length;
  return (
    <li>
      <ExpandableSection
        toggleContent={<span className="vigil-lane-title">{lane.title}</span>}
        isExpanded={isOpen}
        onToggle={(_event, next) => setChosen(next)}
        isIndented
      >
        <ul className="vigil-lane-actions">
          {isOpen &&
            shown.map((action) => (
              <li key={action.uuid} className="vigil-row-line">
                <StateLabel state={action.state} />
                <Button variant="link" isInline onClick={() => onChoose(action.uuid)}>
                  {typeText(action.action_type)} {subjectOf(action)}
                </Button>
                <span className="vigil-subtle">{routeOf(action)}</span> {progressOf(action)}
              </li>
            ))}
          {left > 0 && <li className="vigil-subtle">{text('plan.moreActions', { count: left })}</li>}
        </ul>
      </ExpandableSection>
      <PlanProgress plan={{ total: lane.actions.length, by_state: lane.by_state }} />
    </li>
  );
}

interface TimeLeftProps extends Omit<PlanRunProps, 'plan'> {
  planUuid: string;
}

/** The time left, and the chain of actions that determines it. Empty after all have ended. */
function TimeLeft({ planUuid, actions, onChoose }: TimeLeftProps) {
  const { client } = useDashboard();
  const mayPreview = useMay('data_model:get_all');
  const preview = useQuery({
    queryKey: ['plan-preview', planUuid],
    enabled: mayPreview,
    queryFn: () =>
      dataOf(client.api.GET('/v1/action_plans/{ident}/preview', { params: { path: { ident: planUuid } } })),
  });
  const { times } = useActionTimes(planUuid);
  const isRunning = actions.some(({ state }) => state === 'ONGOING' || state === 'CANCELLING');
  const now = useNow(isRunning);
  const { data: duration, isError } = usePlanDuration(planUuid, actions, isRunning);
  const isUnread = !preview.data || !duration;
  if (isUnread && (preview.isError || isError)) return <p className="vigil-lead">{text('plan.timeLeftUnknown')}</p>;
  if (isUnread) return mayPreview ? <Loading what={text('plan.timeLeft')} as="line" /> : null;
  const estimates = new Map(
    preview.data.actions.map(({ action_uuid: uuid, estimated_seconds: takes }) => [
      uuid,
      { takes, startedAt: times.get(uuid)?.startedAt ?? null },
    ]),
  );
  const { uuids } = criticalPath(actions, estimates, now);
  if (uuids.length === 0) return null;
  const byUuid = new Map(actions.map((action) => [action.uuid, action]));
  const chain = uuids.flatMap((uuid) => byUuid.get(uuid) ?? []);
  return (
    <p className="vigil-lead">
      <strong>{text('duration.left', { time: durationPhrase(duration.remaining_seconds, duration) })}</strong>
      {richText('plan.decidedBy', { chain: <Chain actions={chain} onChoose={onChoose} /> })}.
    </p>
  );
}

const namedInChain = 3;

/** The first actions of a chain, and the number of the others. */
function Chain({ actions, onChoose }: Pick<PlanRunProps, 'actions' | 'onChoose'>) {
  const named = actions.slice(0, namedInChain).map((action) => ({
    uuid: action.uuid,
    button: (
      <Button variant="link" isInline onClick={() => onChoose(action.uuid)}>
        {subjectOf(action) || typeText(action.action_type)}
      </Button>
    ),
  }));
  return (
    <>
      {named.map(({ uuid, button }, at) => (
        <span key={uuid}>{at === 0 ? button : richText('plan.then', { action: button })}</span>
      ))}
      {actions.length > namedInChain && ` ${text('plan.chainMore', { count: actions.length - namedInChain })}`}
    </>
  );
}
