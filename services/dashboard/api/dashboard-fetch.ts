import { text } from '../texts/texts.ts';
import { apiUrl } from './base-url.ts';
import { serverClock } from './server-clock.ts';

/** Time after the last input in milliseconds after which the page counts as idle. */
const attendedMs = 60_000;
let lastInput = performance.now();
for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'])
  globalThis.addEventListener?.(kind, () => (lastInput = performance.now()), { passive: true, capture: true });

/** Last input on the page, by its monotonic clock. */
export function lastInputAt(): number {
  return lastInput;
}

/**
 * `fetch` for requests of the dashboard to the API: with the session's cookie and the header that other origins cannot
 * send. The header's value reports whether the user is active, for the idle timeout of sessions. Every response carries
 * the server's time. Requests that the policy refuses (`isClosed`) are not sent: they get a 403 here, and the browser's
 * console stays empty.
 */
export function createDashboardFetch(onRefused: () => void, isClosed: (path: string) => boolean): typeof fetch {
  return async (input, init) => {
    if (isRead(input, init) && isClosed(pathOf(input))) return closedResponse();
    const headers = new Headers(init?.headers);
    headers.set('X-Vigil-Dashboard', performance.now() - lastInput < attendedMs ? '1' : 'unattended');
    const sentAt = performance.now();
    const response = await fetch(input, { ...init, headers, credentials: 'same-origin' });
    serverClock.note(response.headers.get('X-Vigil-Time'), sentAt, performance.now());
    if (response.status === 401) onRefused();
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

/** The same error as the API's. */
function closedResponse(): Response {
  const fault = JSON.stringify({ faultcode: 'Client', faultstring: text('shell.forbidden'), debuginfo: null });
  return Response.json({ error_message: fault }, { status: 403 });
}
