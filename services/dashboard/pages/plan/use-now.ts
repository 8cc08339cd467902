import { useEffect, useState } from 'react';
import { serverClock } from '../../api/server-clock.ts';

const tickMs = 1000;

/** The server's time in milliseconds, moving every second while `isMoving`. */
export function useNow(isMoving: boolean): number {
  const [now, setNow] = useState(() => serverClock.now());
  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(() => setNow(serverClock.now()), tickMs);
    return () => clearInterval(timer);
  }, [isMoving]);
  return now;
}
