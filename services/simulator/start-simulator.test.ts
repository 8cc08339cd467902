import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { OperatorError, silentLogger } from '#libs/domain';
import type { Sample } from '#libs/history';
import { parseEnv } from '#libs/service-kit/env';
import { parseGenerateOptions, withFlags } from './arguments.ts';
import { simulatorEnv } from './env.ts';
import { startSimulator } from './start-simulator.ts';
import { smallWorld } from './testing/simulation-fixture.ts';

const deps = {
  world: smallWorld(),
  writer: null,
  clock: { now: () => Date.now() },
  newUuid: () => crypto.randomUUID(),
  logger: silentLogger,
};

describe('arguments', () => {
  it('override the environment', () => {
    const env = withFlags(['--port', '0', '--world=w'], { VIGIL_SIMULATOR_PORT: '1', OTHER: 'x' });
    expect(env).toEqual({ VIGIL_SIMULATOR_PORT: '0', VIGIL_SIMULATOR_WORLD: 'w', OTHER: 'x' });
    expect(() => withFlags(['--nonsense'], {})).toThrow(/nonsense.*flags: host, port/);
    expect(() => withFlags(['stray'], {})).toThrow(OperatorError);
  });

  it('describe a world to generate', () => {
    expect(parseGenerateOptions('hosts=8, instances=60,skew=0.9')).toEqual({ hosts: 8, instances: 60, skew: 0.9 });
    expect(() => parseGenerateOptions('hosts=many')).toThrow('generate: hosts must be a number');
    expect(() => parseGenerateOptions('hosts=')).toThrow('generate: hosts must be a number');
    expect(() => parseGenerateOptions('racks=2')).toThrow('generate: unknown "racks=2"');
  });

  it('have defaults and name invalid values', () => {
    expect(parseEnv(simulatorEnv, {})).toMatchObject({
      VIGIL_SIMULATOR_PORT: 9390,
      VIGIL_SIMULATOR_SPEED: 60,
      VIGIL_SIMULATOR_WORLD: 'azure2017-40',
    });
    expect(() => parseEnv(simulatorEnv, { VIGIL_SIMULATOR_SPEED: 'fast' })).toThrow(
      /VIGIL_SIMULATOR_SPEED must be a number/,
    );
  });
});

describe('starting', () => {
  it('on a port in use fails with one line', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const { port } = blocker.address() as { port: number };
    await expect(startSimulator(deps, { port })).rejects.toThrow(
      new OperatorError(`the simulated cloud cannot listen: port ${port} on 127.0.0.1 is in use`),
    );
    await new Promise((resolve) => blocker.close(resolve));
  });

  it('writes the past and continues sampling until it stops', async () => {
    const written: Sample[] = [];
    const writer = {
      write: async (samples: Sample[]) => void written.push(...samples),
      close: async () => undefined,
    };
    const simulator = await startSimulator({ ...deps, writer }, { sampleSeconds: 1, backFillMinutes: 1 });
    const backFilled = written.length;
    expect(backFilled).toBeGreaterThanOrEqual(60 * 8);
    await expect.poll(() => written.length).toBeGreaterThan(backFilled + 20);
    await simulator.stop();
    const atStop = written.length;
    // Another simulator takes two samples at the same interval while this one is stopped.
    const others: Sample[] = [];
    const other = await startSimulator(
      { ...deps, writer: { write: async (samples) => void others.push(...samples), close: async () => undefined } },
      { sampleSeconds: 1, backFillMinutes: 1 },
    );
    const before = others.length;
    await expect.poll(() => others.length).toBeGreaterThan(before + 20);
    await other.stop();
    expect(written.length).toBe(atStop);
  });

  it('serves even without an available history store', async () => {
    const writer = {
      write: async () => {
        throw new Error('no store');
      },
      close: async () => undefined,
    };
    const simulator = await startSimulator({ ...deps, writer }, { backFillMinutes: 1 });
    expect((await fetch(simulator.authUrl)).status).toBe(200);
    await simulator.stop();
  });
});
