import { defaultSimulatorPassword } from './env.ts';

/** Text for the password of the simulated cloud on the terminal. A configured one is a secret and is not printed. */
export function shownPassword(password: string): string {
  return password === defaultSimulatorPassword ? `password ${password}` : 'the password of VIGIL_SIMULATOR_PASSWORD';
}
