import { serverClock } from './server-clock.ts';

/** So long after the last input of a person the page counts as left. */
const attendedMs = 60_000;
let lastInput = performance.now();
for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'])
  globalThis.addEventListener?.(kind, () => (lastInput = performance.now()), { passive: true, capture: true });

/** When somebody last used the page, by its monotonic clock. */
export function lastInputAt(): number {
  return lastInput;
}

/**
 * `fetch` as the API wants it from the dashboard: with the session's cookie and the header that other origins cannot send; its
 * value tells whether somebody is there, for the idle time-out of sessions. Every answer tells the server's time.
 */
export function createDashboardFetch(onSignedOut: () => void): typeof fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('X-Vigil-Dashboard', performance.now() - lastInput < attendedMs ? '1' : 'unattended');
    const sentAt = performance.now();
    const response = await fetch(input, { ...init, headers, credentials: 'same-origin' });
    serverClock.note(response.headers.get('X-Vigil-Time'), sentAt, performance.now());
    if (response.status === 401) onSignedOut();
    return response;
  };
}
