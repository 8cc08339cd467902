import { InvalidInputError } from '#libs/domain';
import { type TestServerName, testServerNames, testServerVariables } from './test-server.ts';

/**
 * Of `names`, those that this run has to start: not the ones whose URL is given already, and only those listed in
 * VIGIL_TEST_SERVERS (comma-separated) when that is set.
 * @throws InvalidInputError when VIGIL_TEST_SERVERS names a server that does not exist.
 */
export function serversToStart(names: readonly TestServerName[], env: NodeJS.ProcessEnv): TestServerName[] {
  const allowed = env.VIGIL_TEST_SERVERS?.split(',').map((name) => name.trim());
  for (const name of allowed ?? []) {
    if (name !== '' && !testServerNames.some((known) => known === name)) {
      throw new InvalidInputError(
        'VIGIL_TEST_SERVERS',
        `there is no server ${name}; known: ${testServerNames.join(', ')}`,
      );
    }
  }
  return names.filter((name) => !env[testServerVariables[name]] && (allowed === undefined || allowed.includes(name)));
}
