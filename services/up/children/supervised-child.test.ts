import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silentLogger } from '#libs/domain';
import { startChild } from './supervised-child.ts';

/** Prints lines up to the number in the file, and is ready when the file says so. */
const program = `
const { readFileSync } = require('node:fs');
let printed = 0;
setInterval(() => {
  const told = readFileSync(process.argv[2], 'utf8');
  if (Number(told) > printed) console.log('waits ' + ++printed);
  if (told === 'ready') process.send({ type: 'ready', url: 'http://here' });
}, 5);
`;
const silenceLimitMs = 60_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-child-'));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

const report = (word: string) => writeFileSync(join(folder, 'told'), word);

function start(lines: string[], source = program) {
  report('');
  writeFileSync(join(folder, 'program.cjs'), source);
  return startChild({
    name: join(folder, 'told'),
    program: join(folder, 'program.cjs'),
    env: { PATH: process.env.PATH },
    logFile: join(folder, 'logs', 'child.log'),
    silenceLimitMs,
    logger: silentLogger,
    mayRestart: async () => true,
    onText: (line) => lines.push(line),
    onLost: () => undefined,
  });
}

/** Makes it print the line, and waits until the line is read. */
async function hears(lines: string[], number: number): Promise<void> {
  report(String(number));
  while (lines.length < number) await new Promise((done) => setImmediate(done));
}

test('a process that reports its missing dependencies gets more time', async () => {
  const lines: string[] = [];
  const starting = start(lines);
  for (const number of [1, 2, 3]) {
    await hears(lines, number);
    vi.advanceTimersByTime(0.9 * silenceLimitMs);
  }
  report('ready');
  const child = await starting;
  expect(child.url).toBe('http://here');
  vi.useRealTimers();
  await child.stop();
  expect(readFileSync(join(folder, 'logs', 'child.log'), 'utf8')).toBe('waits 1\nwaits 2\nwaits 3\n');
});

test('a stop waits for the last lines of the log', async () => {
  const last = `process.on('SIGTERM', () => process.stdout.write('last words\\n'.repeat(20_000), () => process.exit()));`;
  const lines: string[] = [];
  const starting = start(lines, last + program);
  report('ready');
  const child = await starting;
  vi.useRealTimers();
  await child.stop();
  const log = readFileSync(join(folder, 'logs', 'child.log'), 'utf8');
  expect(log.match(/last words\n/g)).toHaveLength(20_000);
});

test('one that is silent is given up, and ended', async () => {
  const lines: string[] = [];
  const starting = start(lines);
  const failed = expect(starting).rejects.toThrow('has printed nothing for 60 s; see');
  await hears(lines, 1);
  vi.advanceTimersByTime(silenceLimitMs);
  vi.useRealTimers();
  await failed;
});
