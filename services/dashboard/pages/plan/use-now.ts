import { useEffect, useState } from 'react';

const tickMs = 1000;

/** The time, moving every second while `isMoving`. */
export function useNow(isMoving: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [isMoving]);
  return now;
}
