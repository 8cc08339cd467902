import { Button } from '@patternfly/react-core';
import BellIcon from '@patternfly/react-icons/dist/esm/icons/bell-icon';
import BellSlashIcon from '@patternfly/react-icons/dist/esm/icons/bell-slash-icon';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { shortId } from '../components/links.tsx';
import { useNotices } from '../components/notices.tsx';
import { useDashboard, useMay } from '../live/dashboard-context.tsx';
import { text } from '../texts/texts.ts';
import { createPlanAlerts, type PlanAlert } from './plan-alerts.ts';

const storageKey = 'vigil-plan-alerts';
const isKnown = () => typeof Notification === 'function';
const isOn = () => localStorage.getItem(storageKey) === 'on' && Notification.permission === 'granted';

/**
 * Switches notifications of the browser on and off: for plans that fail, and for those that wait for the approval of
 * this user. They appear while a page of the dashboard is open. Hidden without notifications of the
 * browser, or without https.
 */
export function AlertButton() {
  const notices = useNotices();
  const [on, setOn] = useState(() => isKnown() && isOn());
  usePlanAlerts(on);
  if (!isKnown()) return null;
  const toggle = async () => {
    if (!on && (await Notification.requestPermission()) !== 'granted') {
      notices.failure(text('alerts.refused'), new Error(text('alerts.refusedHint')));
      return;
    }
    localStorage.setItem(storageKey, on ? 'off' : 'on');
    setOn(!on);
  };
  return (
    <Button
      variant="plain"
      aria-label={text(on ? 'alerts.turnOff' : 'alerts.turnOn')}
      icon={on ? <BellIcon /> : <BellSlashIcon />}
      onClick={() => void toggle()}
    />
  );
}

/** Shows a notification for each event of a plan, without a render of the frame. */
function usePlanAlerts(on: boolean): void {
  const { live } = useDashboard();
  const mayApprove = useMay('action_plan:approve');
  const navigate = useRef(useNavigate());
  useEffect(() => {
    if (!on) return undefined;
    const alertsOf = createPlanAlerts(mayApprove);
    const check = () => {
      if (!live.isComplete('action_plan')) return;
      for (const alert of alertsOf(live.list('action_plan')))
        show(alert, () => navigate.current(`/plans/${alert.uuid}`));
    };
    check();
    return live.subscribe(check);
  }, [live, on, mayApprove]);
}

function show({ uuid, cause }: PlanAlert, open: () => void): void {
  const shown = new Notification(text(`alerts.${cause}`, { id: shortId(uuid) }), { tag: `${uuid}:${cause}` });
  shown.onclick = () => {
    window.focus();
    open();
  };
}
