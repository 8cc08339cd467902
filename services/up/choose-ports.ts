import { findFreePort, freePortNear } from '#libs/service-kit/embedded';

/** Ports on which `vigil up` lets its processes listen. */
export interface StackPorts {
  /** 0 when the API takes a free one. */
  api: number;
  simulator: number;
}

/** Values of the ports, and the host of the API. */
interface PortValues {
  VIGIL_HOST: string;
  VIGIL_PORT: number;
  VIGIL_SIMULATOR_PORT: number;
  OS_AUTH_URL?: string;
}

/**
 * Chooses the ports of a stack. With a real cloud the API keeps its port, because clients know it. With the simulated
 * cloud, a default port in use is replaced by a free one, so that several stacks can run in parallel. A configured
 * port is never replaced.
 * @param values parsed configuration, with defaults
 * @param given configuration without defaults
 */
export async function choosePorts(values: PortValues, given: NodeJS.ProcessEnv): Promise<StackPorts> {
  const { VIGIL_HOST: host, VIGIL_PORT: api, VIGIL_SIMULATOR_PORT: simulator } = values;
  if (values.OS_AUTH_URL) return { api, simulator };
  const choose = (port: number, isNamed: boolean, address: string) => {
    if (port === 0) return findFreePort();
    return isNamed ? port : freePortNear(port, address);
  };
  return {
    api: await choose(api, given.VIGIL_PORT !== undefined, host),
    simulator: await choose(simulator, given.VIGIL_SIMULATOR_PORT !== undefined, '127.0.0.1'),
  };
}
