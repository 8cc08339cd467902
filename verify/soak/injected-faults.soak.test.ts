import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StackServers, startStackServers } from '../stack/servers.ts';
import { createEvidenceFolder } from './evidence.ts';
import { injectedFaults, patchesByRole } from './injected-faults.ts';
import { runSoak, type SoakResult } from './run-soak.ts';

let servers: StackServers;
let folder: string;
let result: SoakResult;
beforeAll(async () => {
  servers = await startStackServers({ withBroker: false });
  folder = await mkdtemp(join(tmpdir(), 'vigil-soak-'));
  const lines: string[] = [];
  result = await runSoak({
    ...{ servers, minutes: 4, audits: 4, appliers: 2, seed: 1, pressure: 0, busy: 0 },
    folder: createEvidenceFolder(folder),
    signal: new AbortController().signal,
    onProgress: (line) => lines.push(line),
    patches: patchesByRole(injectedFaults),
  });
}, 900_000);
afterAll(async () => {
  await servers.stop();
  await rm(folder, { recursive: true, force: true });
});

test.each(injectedFaults)('the soak detects that $fault', ({ shows }) => {
  expect(result.verdict.faults[shows].map(({ text }) => text)).not.toEqual([]);
});
