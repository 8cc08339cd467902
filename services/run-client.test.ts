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
  // The exit code that a shell reports for a program ended by SIGPIPE.
  expect(code).toBe(141);
});
