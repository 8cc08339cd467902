import { afterAll, beforeAll, describe, it } from 'vitest';
import { openStackConfigFromEnv } from '#libs/openstack';
import { createDatabaseAttachments } from './attach-in-database.ts';
import { cloudChecks } from './cloud-checks.ts';
import { type ContractTarget, createContractTarget } from './contract-target.ts';

describe.skipIf(process.env.OS_AUTH_URL === undefined)('the OpenStack that OS_* describes', () => {
  let target: ContractTarget;

  beforeAll(() => {
    const sql = process.env.OS_CONTRACT_NOVA_SQL;
    target = createContractTarget(openStackConfigFromEnv(process.env), {
      slowSeconds: Number(process.env.OS_CONTRACT_SLOW_SECONDS ?? 60),
      serverUuid: process.env.OS_CONTRACT_SERVER,
      mayEvacuate: process.env.OS_CONTRACT_EVACUATE === '1',
      isRecording: process.env.OS_CONTRACT_RECORD === '1',
      ...(sql === undefined ? {} : { attach: createDatabaseAttachments(sql) }),
      mayPowerOff: process.env.OS_CONTRACT_POWER === '1',
    });
  });

  afterAll(() => target?.close());

  it.for(cloudChecks.map((check) => [check.name, check] as const))('%s', async ([, { needsNova, run }], { skip }) => {
    if (needsNova !== undefined && !(await target.offersNova(needsNova)))
      skip(`the recorded outcomes are those of Nova ${needsNova}, which this cloud does not offer`);
    await run(target);
  });
});
