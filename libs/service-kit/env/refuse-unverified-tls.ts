import { ConfigurationError } from '#libs/domain';
import { urlPerHost } from './env-key.ts';

/**
 * Checks that connections to PostgreSQL verify the server's certificate.
 * @param environment `PGSSLMODE` applies to a URL without `sslmode`
 * @throws ConfigurationError naming the setting that turns the verification off
 */
export function refuseUnverifiedTls(text: string, environment: Readonly<Record<string, string | undefined>>): void {
  const instead = 'use sslmode=verify-full, with sslrootcert for a private authority';
  if (environment.PGSSLMODE === 'no-verify') {
    throw new ConfigurationError([`PGSSLMODE=no-verify turns off the verification of certificates: ${instead}`]);
  }
  for (const url of urlPerHost(text)) {
    const found = URL.canParse(url) ? unverified(new URL(url).searchParams) : undefined;
    if (found === undefined) continue;
    throw new ConfigurationError([
      `VIGIL_DATABASE_URL: ${found} turns off the verification of certificates: ${instead}`,
    ]);
  }
}

/** The error of a variable that makes Node.js accept any certificate, in a list. Empty without one. */
export function unverifiedTlsFaults(environment: Readonly<Record<string, string | undefined>>): string[] {
  if (environment.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return [];
  return [
    'NODE_TLS_REJECT_UNAUTHORIZED=0 turns off the verification of all certificates: name a private authority in NODE_EXTRA_CA_CERTS instead',
  ];
}

/** The parameter that makes `pg` accept any certificate. */
function unverified(parameters: URLSearchParams): string | undefined {
  const values = [...parameters].filter(
    ([name, value]) => (['ssl', 'sslmode'].includes(name) && value === 'no-verify') || name === 'uselibpqcompat',
  );
  return values.map(([name, value]) => `${name}=${value}`)[0];
}
