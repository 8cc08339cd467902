import { text } from '../texts/texts.ts';
import { apiUrl } from './base-url.ts';
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
 * `fetch` as the API wants it from the dashboard: with the session's cookie and the header that other origins cannot
 * send. Its value tells whether somebody is there, for the idle time-out of sessions. Every answer tells the server's
 * time. What the policy refuses (`isClosed`) is not requested: it is answered 403 here, and the browser's console stays
 * empty.
 */
export function createDashboardFetch(onSignedOut: () => void, isClosed: (path: string) => boolean): typeof fetch {
  return async (input, init) => {
    if (isRead(input, init) && isClosed(pathOf(input))) return closedAnswer();
    const headers = new Headers(init?.headers);
    headers.set('X-Vigil-Dashboard', performance.now() - lastInput < attendedMs ? '1' : 'unattended');
    const sentAt = performance.now();
    const response = await fetch(input, { ...init, headers, credentials: 'same-origin' });
    serverClock.note(response.headers.get('X-Vigil-Time'), sentAt, performance.now());
    if (response.status === 401) onSignedOut();
    return response;
  };
}

function isRead(input: RequestInfo | URL, init: RequestInit | undefined): boolean {
  return (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase() === 'GET';
}

/** Path below the API, without its query. */
function pathOf(input: RequestInfo | URL): string {
  const url = input instanceof Request ? input.url : String(input);
  return url.slice(apiUrl().length).split('?')[0] ?? '';
}

/** As the API refuses. */
function closedAnswer(): Response {
  const fault = JSON.stringify({ faultcode: 'Client', faultstring: text('shell.closed'), debuginfo: null });
  return Response.json({ error_message: fault }, { status: 403 });
}
