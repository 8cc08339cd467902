import { OperatorError } from '#libs/domain';

/**
 * The URL of the domain store, which a process can not do without.
 * @throws OperatorError with exit code 2 when it is not set
 */
export function requireDatabaseUrl({ VIGIL_DATABASE_URL }: { VIGIL_DATABASE_URL?: string }): string {
  if (VIGIL_DATABASE_URL) return VIGIL_DATABASE_URL;
  throw new OperatorError('VIGIL_DATABASE_URL is not set; `vigil up` starts everything with an embedded database', {
    exitCode: 2,
  });
}
