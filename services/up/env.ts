import { integer, listenKeys, text } from '#libs/service-kit/env';

/** Default of VIGIL_SIMULATOR_PASSWORD, which is public. */
export const defaultSimulatorPassword = 'vigil';

/** Configuration of `vigil up`. It passes the rest of its environment to the processes. */
export const supervisorEnv = {
  VIGIL_DATA_DIR: text({
    default: '.vigil',
    description: 'Folder of the embedded database and of the log files of `vigil up`.',
  }),
  ...listenKeys,
  VIGIL_SIMULATOR_PORT: integer({
    default: 9390,
    min: 0,
    max: 65_535,
    description: 'Port of the simulated cloud; 0 takes a free one, and so does the default when it is taken.',
  }),
  OS_AUTH_URL: text({
    description: 'Keystone of the cloud to optimize. `vigil up` starts a simulated cloud when it is not set.',
  }),
  VIGIL_SIMULATOR_PASSWORD: text({
    default: defaultSimulatorPassword,
    secret: true,
    description: 'Password of all users of the simulated cloud.',
  }),
} as const;
