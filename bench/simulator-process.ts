import { type Clock, silentLogger } from '#libs/domain';
import { type Cloud, createOpenStackCloud, openStackConfigFromEnv } from '#libs/openstack';
import { cloudEnv } from '../tests/system/index.ts';
import { startVigilProcess } from './vigil-process.ts';

/** Fixed time of day. */
export const wallClock: Clock = { now: () => performance.timeOrigin + performance.now() };

const password = 'bench';

const cloudEnvironment = (url: string) => cloudEnv(url, 'vigil', 'service', password);

/**
 * Runs a task on a simulated cloud of a shipped world, without history, through the real client, and removes both. The
 * task also gets the environment with which other processes reach the cloud.
 */
export async function withSimulatedCloud(
  world: string,
  task: (cloud: Cloud, cloudEnv: Record<string, string>) => Promise<void>,
): Promise<void> {
  const args = ['simulator', '--port', '0', '--world', world, '--backfill-minutes', '0'];
  const simulator = await startVigilProcess(args, { VIGIL_SIMULATOR_PASSWORD: password });
  try {
    const cloudEnv = cloudEnvironment(simulator.url);
    const cloud = createOpenStackCloud(openStackConfigFromEnv(cloudEnv), { logger: silentLogger, clock: wallClock });
    try {
      await task(cloud, cloudEnv);
    } finally {
      await cloud.close();
    }
  } finally {
    await simulator.stop();
  }
}
