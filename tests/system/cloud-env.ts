/**
 * The `OS_*` variables of a process that signs in at a simulator.
 * @param simulatorUrl URL of the simulator, without a path
 * @param user default `vigil`, the service user
 * @param project default `service`
 * @param password default `vigil`
 */
export function cloudEnv(
  simulatorUrl: string | null,
  user = 'vigil',
  project = 'service',
  password = 'vigil',
): Record<string, string> {
  return {
    OS_AUTH_URL: `${simulatorUrl}/identity/v3`,
    OS_USERNAME: user,
    OS_PASSWORD: password,
    OS_PROJECT_NAME: project,
    OS_USER_DOMAIN_NAME: 'Default',
    OS_PROJECT_DOMAIN_NAME: 'Default',
    OS_REGION_NAME: 'RegionOne',
  };
}
