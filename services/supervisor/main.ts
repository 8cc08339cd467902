import { openStackConfigFromEnv } from '#libs/openstack';
import { runService } from '#libs/service-kit';
import { composeStack, type Stack } from './compose.ts';
import { supervisorEnv } from './env.ts';

/** `vigil up`: runs the whole stack until it is told to stop; answers the exit code. */
export function run(): Promise<number> {
  // The terminal belongs to people; `VIGIL_LOG_LEVEL` still decides when it is set.
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
        const stack = await composeStack(context);
        if (!process.connected) process.stdout.write(`${describe(stack)}\n`);
        return { url: stack.apiUrl };
      },
    },
    environment,
  );
}

function describe({ apiUrl, authUrl, simulated }: Stack): string {
  const cloud = simulated
    ? `simulated cloud ${authUrl} (user ${simulated.username}, password ${simulated.password}, project admin, domain Default)`
    : `cloud ${authUrl}`;
  return `Vigil is ready: API ${apiUrl}  docs ${apiUrl}/docs  ${cloud}`;
}
