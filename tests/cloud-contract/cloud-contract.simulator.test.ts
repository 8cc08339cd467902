import { afterAll, beforeAll, describe, it } from 'vitest';
import { cloudChecks } from './cloud-checks.ts';
import { type ContractTarget, createContractTarget } from './contract-target.ts';
import { type SimulatorProcess, startSimulatorProcess } from './simulator-process.ts';

describe('the simulated cloud', () => {
  let simulator: SimulatorProcess;
  let target: ContractTarget;

  beforeAll(async () => {
    simulator = await startSimulatorProcess({
      generate: 'hosts=4,instances=16,seed=3,volumes=12,baremetal=4',
      // What is checked while it is under way takes five seconds and more of the machine's time.
      speed: 6,
    });
    target = createContractTarget(simulator.config, {
      slowSeconds: 120,
      mayEvacuate: true,
      mayPowerOff: true,
      whileUnderWay: simulator.whileUnderWay,
    });
  });

  afterAll(async () => {
    await target?.close();
    await simulator?.stop();
  });

  it.each(cloudChecks)('$name', (check) => check.run(target));
});
