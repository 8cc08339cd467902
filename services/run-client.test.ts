// @needs build
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

test('a reader that has seen enough ends the command without a word', async () => {
  const child = spawn(process.execPath, ['dist/services/vigil.js', '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(said).toBe('');
  // As a shell tells a program that SIGPIPE has ended.
  expect(code).toBe(141);
});
