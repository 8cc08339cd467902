// @needs build
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';

const compiled = new URL('../../dist/libs/service-kit/watchdog.js', import.meta.url).href;
const children: ChildProcess[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** A process with a watchdog of two seconds that says `ready` and then does this. */
async function start(work: string) {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-watchdog-'));
  const file = join(folder, 'work.mjs');
  folders.push(folder);
  const script = `
    const { startWatchdog } = await import(${JSON.stringify(compiled)});
    const logger = { warn: console.error };
    startWatchdog({ limitMs: 2000, service: 'test', logger });
    console.log('ready');
    ${work}`;
  await writeFile(file, script);
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'pipe'] });
  children.push(child);
  let log = '';
  child.stderr.on('data', (text) => {
    log += String(text);
  });
  await once(child.stdout, 'data');
  return { child, log: () => log };
}

it('kills a process whose event loop is blocked, and logs the place', async () => {
  const { child, log } = await start(`
    function neverEnds() { for (;;); }
    setTimeout(function pluginCode() { neverEnds(); }, 100);`);

  const [, signal] = await once(child, 'close');

  expect(signal).toBe('SIGKILL');
  expect(JSON.parse(log())).toMatchObject({
    level: 'error',
    service: 'test',
    pid: child.pid,
    at: expect.arrayContaining([
      expect.stringMatching(/^neverEnds file:.*work\.mjs:7$/),
      expect.stringMatching(/^pluginCode file:.*work\.mjs:8$/),
    ]),
    msg: expect.stringContaining('event loop blocked for 2 s'),
  });
});

it('leaves a process alone that was frozen as a whole, and one that has nothing left to do', async () => {
  const frozen = await start(`process.stdin.on('data', () => process.exit(7));`);
  const idle = await start('');
  frozen.child.kill('SIGSTOP');
  await pause(2500);
  frozen.child.kill('SIGCONT');
  const [idleCode] = idle.child.exitCode === null ? await once(idle.child, 'exit') : [idle.child.exitCode];
  await pause(500);
  frozen.child.stdin?.write('end\n');
  const [code] = await once(frozen.child, 'exit');

  expect([idleCode, code]).toEqual([0, 7]);
  expect(frozen.log() + idle.log()).toBe('');
});
