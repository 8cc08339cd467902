import { InvalidInputError } from '#libs/domain';
import { type TestServerName, testServerNames, testServerVariables } from './test-server.ts';

/**
 * Selects the servers of `names` that this run has to start: those without a URL. With VIGIL_TEST_SERVERS
 * (comma-separated), only the listed ones.
 * @throws InvalidInputError when VIGIL_TEST_SERVERS names an unknown server
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
