// @needs postgres, program
import { expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import { createOpenStackCloud, openStackConfigFromEnv } from '#libs/openstack';
import { systemClock } from '#libs/service-kit';
import { atEnd } from '#tests';
import { measurePlaces } from '../../verify/cloud/measure-places.ts';
import { createRawHttp } from '../cloud-contract/raw-http.ts';
import { cloudEnv } from './cloud-env.ts';
import { noHistory } from './test-stack.ts';
import { useTestStack } from './use-vigil.ts';

/** The simulated scheduler refuses as Nova does: the number of Vigil is compared with real boots over HTTP. */
const stack = await useTestStack({
  simulator: ['--generate', 'hosts=6,instances=40,zones=2,groups=2,volumes=2,seed=5', '--speed', '60', ...noHistory],
  env: { VIGIL_MODEL_MAX_AGE_SECONDS: '0' },
});
await stack.start(['decision-engine']);
const config = openStackConfigFromEnv(cloudEnv(stack.simulator.url, 'admin', 'admin'));
const cloud = createOpenStackCloud(config, { logger: silentLogger, clock: systemClock });
atEnd(() => cloud.close());

test('as many servers boot as vigil whatif place has said, in several flavors and zones', async () => {
  const target = { cloud, raw: createRawHttp(cloud, config.authUrl), onProgress: () => undefined };
  const places = await measurePlaces(target, stack.client, { most: 40, flavors: 3 });
  const measured = places.filter(({ skipped }) => skipped === null);
  expect(measured.length).toBeGreaterThanOrEqual(3);
  expect(measured.map(({ booted }) => booted)).toEqual(measured.map(({ predicted }) => predicted));
  expect(Math.max(...measured.map(({ booted }) => booted))).toBeGreaterThan(3);
}, 240_000);
