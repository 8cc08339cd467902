import { OperatorError } from '#libs/domain';

/** A base URL without credentials, and the credentials. Never log `authorization`. Log `label`. */
export interface HttpTarget {
  /** Scheme, host, port and path prefix, without a slash at its end. */
  base: string;
  /** Host, port and prefix. Safe to show. */
  label: string;
  /** Value of the header, from user and password in the URL or from the token. */
  authorization: string | undefined;
}

/**
 * Reads `http(s)://[user:password@]host[:port][/prefix]`. `setting` is the name of the setting, for errors, which never
 * repeat the URL because it may hold a secret. Throws OperatorError.
 */
export function parseHttpTarget(url: string, setting: string, options: { token?: string } = {}): HttpTarget {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !['http:', 'https:'].includes(parsed.protocol)) {
    throw new OperatorError(`${setting} is not an http or https URL, such as http://host:9090/prefix`);
  }
  if (parsed.search !== '' || parsed.hash !== '')
    throw new OperatorError(`${setting} must not have a query or fragment`);
  if (parsed.password !== '' && parsed.username === '')
    throw new OperatorError(`${setting} has a password and no user`);
  if (parsed.username !== '' && options.token) {
    throw new OperatorError(`${setting} has a user, and a token is given too; use one of them`);
  }
  const prefix = parsed.pathname.replace(/\/+$/, '');
  return {
    base: `${parsed.origin}${prefix}`,
    label: `${parsed.host}${prefix}`,
    authorization: authorizationOf(parsed, setting, options.token),
  };
}

function authorizationOf(url: URL, setting: string, token: string | undefined): string | undefined {
  if (token) return `Bearer ${token}`;
  if (url.username === '') return undefined;
  const pair = `${decode(url.username, setting)}:${decode(url.password, setting)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function decode(part: string, setting: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new OperatorError(`${setting}: a percent sign is not followed by two hexadecimal digits`);
  }
}
