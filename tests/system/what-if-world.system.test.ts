// @needs postgres, program
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { atEnd } from '#tests';
import { cloudEnv } from './cloud-env.ts';
import { noHistory } from './test-stack.ts';
import { useTestStack } from './use-vigil.ts';

const stack = await useTestStack({
  simulator: ['--generate', 'hosts=6,instances=40,zones=2,groups=2,volumes=2,seed=5', '--speed', '1', ...noHistory],
  env: { VIGIL_MODEL_MAX_AGE_SECONDS: '0' },
});
await stack.start(['decision-engine']);
const folder = mkdtempSync(join(tmpdir(), 'vigil-whatif-'));
atEnd(async () => rmSync(folder, { recursive: true }));
const recording = join(folder, 'now.world');

interface Run {
  code: number;
  out: string;
  err: string;
}

function vigil(words: string[], env: Record<string, string | undefined> = {}): Promise<Run> {
  return new Promise((resolve) => {
    const { PATH } = process.env;
    execFile(
      process.execPath,
      ['dist/services/vigil.js', ...words],
      { env: { PATH, VIGIL_DATA_DIR: folder, ...env }, maxBuffer: 1e8 },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

beforeAll(async () => {
  const { code, err } = await vigil(['world', 'record', '--out', recording, '--days', '0', '--no-anonymise'], {
    ...cloudEnv(stack.simulator.url),
    VIGIL_DATABASE_URL: stack.env.VIGIL_DATABASE_URL,
  });
  expect(code, err).toBe(0);
});

test.each([
  ['lose host compute-1'],
  ['lose zone zone-2'],
  ['remove compute-1 compute-2'],
  ['add 2 hosts like compute-1'],
  ['place m1.small'],
  ['place 5 of m1.large --zone zone-1'],
  ['place m1.medium --boot-from-volume'],
  ['ratio cpu=1 memory=0.5'],
  ['ratio disk=2 compute-3'],
  ['move vm-00001 compute-2 vm-00002 compute-3 vm-00003 compute-1'],
])('%s has the same response on a recording as on the live cloud', async (text) => {
  const words = ['whatif', ...text.split(' '), '--json'];
  const [live, recorded] = await Promise.all([
    vigil(words, { ...cloudEnv(stack.simulator.url, 'admin', 'admin'), VIGIL_API_URL: stack.api.url ?? '' }),
    vigil([...words, '--world', recording]),
  ]);
  expect([0, 5, 6], live.err).toContain(live.code);
  expect({ code: recorded.code, err: recorded.err }).toEqual({ code: live.code, err: live.err });
  const { model_taken_at: _, ...expected } = JSON.parse(live.out);
  const { model_taken_at: takenAt, ...found } = JSON.parse(recorded.out);
  expect(found).toEqual(expected);
  expect(Math.abs(Date.parse(takenAt) - Date.now())).toBeLessThan(3_600_000);
});

test('a damaged file, an unknown host and an unknown flavor are refused with the reason', async () => {
  const damaged = join(folder, 'damaged.world');
  const bytes = readFileSync(recording);
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] as number) ^ 255;
  writeFileSync(damaged, bytes);
  const request = (words: string, file: string) => vigil(['whatif', ...words.split(' '), '--world', file]);
  const audit = await vigil(['world', 'audit', damaged, '-g', 'workload_balancing', '-s', 'workload_balance']);
  const whatIf = await request('remove compute-1', damaged);
  expect(whatIf.code).toBe(1);
  expect(whatIf.err.replace('vigil: ', '')).toBe(audit.err.replace('vigil world: ', ''));
  expect(await request('remove compute-11', recording)).toMatchObject({
    code: 1,
    err: expect.stringContaining('did you mean compute-1?'),
  });
  expect(await request('place m1.smal', recording)).toMatchObject({
    code: 1,
    err: expect.stringContaining('did you mean m1.small?'),
  });
  expect(await request('place m1.small', '/nowhere.world')).toMatchObject({
    code: 1,
    err: expect.stringContaining('no such file'),
  });
});
