import { printable } from '#libs/domain';
import { openStackConfigFromEnv } from '#libs/openstack';
import { runService, type ServiceContext } from '#libs/service-kit';
import { choosePorts } from './choose-ports.ts';
import { composeStack, type Stack } from './compose.ts';
import { supervisorEnv } from './env.ts';
import { createProgress } from './progress.ts';
import { shownPassword } from './shown-password.ts';

/** `vigil up [--world FILE]`: runs the whole stack until it is stopped. Returns the exit code. */
export function run([, world]: readonly string[] = []): Promise<number> {
  // The simulated cloud is a process that inherits it.
  if (world !== undefined) process.env.VIGIL_SIMULATOR_WORLD = world;
  // The terminal shows human-readable lines. `VIGIL_LOG_LEVEL` overrides this.
  const environment = { VIGIL_LOG_LEVEL: 'warn', VIGIL_LOG_PRETTY: 'true', ...process.env };
  return runService(
    {
      name: 'up',
      env: supervisorEnv,
      checks: [
        {
          reads: ['OS_AUTH_URL'],
          check: (values, given) => values.OS_AUTH_URL && openStackConfigFromEnv(given),
        },
      ],
      async start(context) {
        const ports = await choosePorts(context.env, environment);
        print(welcome(context.env, ports.api));
        const progress = createProgress(print);
        try {
          const stack = await composeStack(context, ports, progress);
          for (const line of stack.plugins) print(printable(line));
          print(describe(stack));
          if (stack.databaseFolder !== null)
            print(`The database is in ${stack.databaseFolder}; vigil down --purge deletes it`);
          return { url: stack.apiUrl };
        } finally {
          progress.end();
        }
      },
    },
    environment,
  );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** URLs and login, printed before the stack is ready. */
function welcome(env: ServiceContext<typeof supervisorEnv>['env'], port: number): string {
  const place = port === 0 ? 'on a free port' : `at ${dashboardOf(`http://${env.VIGIL_HOST}:${port}`)}`;
  return `Vigil will be ${place} (${signInOf(env.OS_AUTH_URL, env.VIGIL_SIMULATOR_PASSWORD)}); data and logs in ${env.VIGIL_DATA_DIR}`;
}

function signInOf(authUrl: string | undefined, password: string): string {
  if (authUrl) return `sign in as a user of ${authUrl}`;
  return `user admin, ${shownPassword(password)}, project admin, domain Default`;
}

function dashboardOf(apiUrl: string): string {
  return `${apiUrl}/dashboard/`;
}

function describe({ apiUrl, authUrl, simulated }: Stack): string {
  const cloud = simulated
    ? `simulated cloud ${authUrl} (user ${simulated.username}, ${shownPassword(simulated.password)}, project admin, domain Default)`
    : `cloud ${authUrl}`;
  return `Vigil is ready: dashboard ${dashboardOf(apiUrl)}  API ${apiUrl}  docs ${apiUrl}/docs  ${cloud}`;
}
