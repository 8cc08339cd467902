import { withoutPasswords } from '#libs/domain';
import type { CliContext } from './cli-context.ts';

/** Maximum length of a printed body, in characters. */
const longestBody = 4000;
/** Bodies of these requests have passwords or tokens. */
const secretPath = /\/auth\/tokens$/;

/**
 * Prints each request on standard error: method, URL, status and duration with `--verbose`, also the identifier of the
 * request and both bodies with `--debug`. Headers and the bodies of logins, which have secrets, are left out.
 */
export function tracedFetch(
  send: typeof fetch,
  { err, verbosity }: Pick<CliContext, 'err' | 'verbosity'>,
): typeof fetch {
  const { level } = verbosity;
  if (level !== 'verbose' && level !== 'debug') return send;
  return async (input, init) => {
    const line = withoutPasswords(`${init?.method ?? 'GET'} ${String(input)}`);
    const isShown = level === 'debug' && !secretPath.test(new URL(String(input)).pathname);
    const startedAt = performance.now();
    const took = () => `${Math.round(performance.now() - startedAt)} ms`;
    try {
      const response = await send(input, init);
      const id = response.headers.get('x-openstack-request-id');
      err(`${line} ${response.status} (${took()}${id === null || level !== 'debug' ? '' : `, ${id}`})\n`);
      if (isShown && typeof init?.body === 'string') err(`> ${shortened(init.body)}\n`);
      if (isShown && isJson(response)) err(`< ${shortened(await response.clone().text())}\n`);
      return response;
    } catch (error) {
      err(`${line} failed (${took()})\n`);
      throw error;
    }
  };
}

function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('application/json') ?? false;
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s*\n\s*/g, ' ');
  return line.length > longestBody ? `${line.slice(0, longestBody)}… (${line.length} characters)` : line;
}
