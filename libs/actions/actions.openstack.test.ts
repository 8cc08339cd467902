import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import { createOpenStackCloud, openStackConfigFromEnv, type Server } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import { createTestActionContext } from '#tests';
import { resize } from './resize/resize.ts';
import { stop } from './stop/stop.ts';

const cloud = createOpenStackCloud(openStackConfigFromEnv(process.env), {
  logger: silentLogger,
  clock: { now: Date.now },
});
afterAll(() => cloud.close());

/** A context in real time, with polls half a second apart. */
function contextFor<Input>(input: Input): ActionContext<Input> {
  const context = createTestActionContext(cloud, input);
  return { ...context, sleep: (ms) => pause(Math.min(ms, 500)) };
}

/** The smallest idle server, or the one that `OS_CONTRACT_SERVER` names. */
async function pickServer(): Promise<Server> {
  const wanted = process.env.OS_CONTRACT_SERVER;
  const idle = (await cloud.compute.listServers({})).filter(
    (server) =>
      server.status === 'ACTIVE' &&
      server.taskState === null &&
      !server.locked &&
      (wanted === undefined || server.uuid === wanted),
  );
  const [smallest] = idle.sort((one, other) => one.flavor.ramMb - other.flavor.ramMb);
  if (!smallest) throw new Error('the cloud has no idle ACTIVE server');
  return smallest;
}

it('a server is resized, and back', async () => {
  const server = await pickServer();
  const { name, ramMb, diskGb } = server.flavor;
  const larger = (await cloud.compute.listFlavors()).find(
    (flavor) => flavor.name !== name && flavor.ramMb >= ramMb && flavor.diskGb >= diskGb,
  );
  if (!larger) throw new Error(`the cloud has no flavor larger than ${name}`);
  const context = contextFor({ resource_id: server.uuid, flavor: larger.name });
  expect(await resize.preCondition(context)).toEqual({ go: true });
  expect(await resize.execute(context)).toBe(true);
  expect(await cloud.compute.getServer(server.uuid)).toMatchObject({ status: 'ACTIVE', flavor: { name: larger.name } });
  expect(await resize.probe(context)).toBe('applied');
  expect(await resize.preCondition(context)).toMatchObject({ go: false });
  expect(await resize.revert(context)).toBe(true);
  expect(await cloud.compute.getServer(server.uuid)).toMatchObject({ status: 'ACTIVE', flavor: { name } });
});

it('a server is stopped, and started again', async () => {
  const server = await pickServer();
  const context = contextFor({ resource_id: server.uuid });
  expect(await stop.execute(context)).toBe(true);
  expect(await stop.probe(context)).toBe('applied');
  expect(await stop.preCondition(context)).toMatchObject({ go: false });
  expect(await stop.revert(context)).toBe(true);
  expect(await cloud.compute.getServer(server.uuid)).toMatchObject({ status: 'ACTIVE', host: server.host });
});
