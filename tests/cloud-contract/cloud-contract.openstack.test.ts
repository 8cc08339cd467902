import { afterAll, describe, it } from 'vitest';
import { openStackConfigFromEnv } from '#libs/openstack';
import { cloudChecks } from './cloud-checks.ts';
import { createContractTarget } from './contract-target.ts';

describe('the OpenStack that OS_* describes', () => {
  const target = createContractTarget(openStackConfigFromEnv(process.env), {
    slowSeconds: Number(process.env.OS_CONTRACT_SLOW_SECONDS ?? 60),
    serverUuid: process.env.OS_CONTRACT_SERVER,
    mayEvacuate: process.env.OS_CONTRACT_EVACUATE === '1',
    mayPowerOff: process.env.OS_CONTRACT_POWER === '1',
  });

  afterAll(() => target.close());

  it.each(cloudChecks)('$name', (check) => check.run(target));
});
