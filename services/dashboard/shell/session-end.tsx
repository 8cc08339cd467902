import { Button } from '@patternfly/react-core';
import { useEffect, useState } from 'react';
import { lastInputAt } from '../api/dashboard-fetch.ts';
import { peekSession, readSession, type Session } from '../api/session.ts';
import { Dialog } from '../components/lazy-parts.tsx';
import { useNotices } from '../components/notices.tsx';
import { durationText } from '../components/time.tsx';
import { useDashboard } from '../live/dashboard-context.tsx';
import { text } from '../texts/texts.ts';
import { type EndWarning, type KnownEnd, nextCheckMs, warningOf } from './end-warning.ts';

/** Warns before a session ends, either without use or at its fixed end. Typing counts as use. */
export function SessionEnd() {
  const { session, signOut, onRefused } = useDashboard();
  const notices = useNotices();
  const [known, setKnown] = useState(() => knownOf(session));
  const [isUnderstood, setUnderstood] = useState(false);
  const warning = useWarning(known);
  const isWarned = warning !== null;
  useEffect(() => {
    const wait = nextCheckMs(known, performance.now());
    if (wait === null) return;
    const timer = setTimeout(() => {
      const read = lastInputAt() > known.at && !isWarned ? readSession : peekSession;
      read().then(
        (now) => (now.signed_in ? setKnown(knownOf(now)) : onRefused()),
        // The query repeats a little later.
        () => setKnown((before) => ({ ...before })),
      );
    }, wait);
    return () => clearTimeout(timer);
  }, [known, isWarned, onRefused]);
  if (!warning || (warning.kind === 'end' && isUnderstood)) return null;
  const stay = () =>
    readSession().then(
      (now) => setKnown(knownOf(now)),
      (error: unknown) => notices.failure(text('session.unreachable'), error),
    );
  const time = durationText(warning.seconds);
  const title = text(warning.kind === 'idle' ? 'session.idleTitle' : 'session.endTitle');
  return (
    <Dialog
      title={title}
      buttons={
        <>
          {warning.kind === 'idle' ? (
            <Button onClick={() => void stay()}>{text('session.stay')}</Button>
          ) : (
            <Button onClick={() => setUnderstood(true)}>{text('session.understood')}</Button>
          )}
          <Button
            variant="link"
            onClick={() => void signOut().catch((error: unknown) => notices.failure(text('session.stillIn'), error))}
          >
            {text('session.out')}
          </Button>
        </>
      }
    >
      {text(warning.kind === 'idle' ? 'session.idleBody' : 'session.endBody', { time })}
    </Dialog>
  );
}

function knownOf({ seconds_left, ends_in, idle_seconds }: Session): KnownEnd {
  return { left: seconds_left, endsIn: ends_in, idle: idle_seconds, at: performance.now() };
}

function useWarning(known: KnownEnd): EndWarning | null {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return warningOf(known, performance.now());
}
