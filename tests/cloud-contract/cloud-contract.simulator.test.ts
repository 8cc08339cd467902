import { afterAll, beforeAll, describe, it } from 'vitest';
import { cloudChecks } from './cloud-checks.ts';
import { type ContractTarget, createContractTarget } from './contract-target.ts';
import { type SimulatorProcess, startSimulatorProcess } from './simulator-process.ts';

describe('the simulated cloud', () => {
  let simulator: SimulatorProcess;
  let target: ContractTarget;

  beforeAll(async () => {
    simulator = await startSimulatorProcess('hosts=4,instances=16,seed=3,volumes=12,baremetal=4');
    target = createContractTarget(simulator.config, {
      slowSeconds: 120,
      mayEvacuate: true,
      mayPowerOff: true,
      whileUnderWay: simulator.whileUnderWay,
      letTimePass: simulator.letTimePass,
      attach: simulator.attach,
    });
  });

  afterAll(async () => {
    await target?.close();
    await simulator?.stop();
  });

  it.each(cloudChecks.map((check) => [check.name, check] as const))('%s', (_, check) => check.run(target));
});
