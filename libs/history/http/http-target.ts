import { OperatorError } from '#libs/domain';

/** A base URL without credentials, and the credentials. Log `label`, never `authorization`. */
export interface HttpTarget {
  /** Scheme, host, port and path prefix, without a trailing slash. */
  base: string;
  /** Host, port and prefix. Safe to show. */
  label: string;
  /** Value of the header `Authorization`, from the user and password of the URL or from the token. */
  authorization: string | undefined;
}

/**
 * Reads `http(s)://[user:password@]host[:port][/prefix]`. @param setting name of the setting, for errors, which never
 * contain the URL because it may hold a secret @throws OperatorError
 */
export function parseHttpTarget(url: string, setting: string, options: { token?: string } = {}): HttpTarget {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !['http:', 'https:'].includes(parsed.protocol)) {
    throw new OperatorError(`${setting} is not an http or https URL, such as http://host:9090/prefix`);
  }
  if (parsed.search !== '' || parsed.hash !== '')
    throw new OperatorError(`${setting} must not have a query or fragment`);
  if (parsed.password !== '' && parsed.username === '')
    throw new OperatorError(`${setting} has a password without a user`);
  if (parsed.username !== '' && options.token) {
    throw new OperatorError(`${setting} has a user, and a token is also set; use one of them`);
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
    throw new OperatorError(`${setting}: a percent sign must be followed by two hexadecimal digits`);
  }
}
