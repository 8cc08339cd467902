// @needs build
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

test('a process whose log cannot be written continues, counts lost lines, and ends in order', async () => {
  const script = `
    import { runService } from ${JSON.stringify(resolve('dist/libs/service-kit/index.js'))};
    await runService({
      name: 'trial',
      env: {},
      async start({ logger, metrics, end }) {
        for (let number = 0; number < 100; number += 1) {
          logger.info({ number }, 'a line');
          await new Promise((done) => setImmediate(done));
        }
        // Writes fail a moment after they were asked for.
        const lost = async () => Number(/^vigil_log_lines_lost_total\\{.*\\} (\\d+)$/m.exec((await metrics.expose()).body)?.[1]);
        for (let looks = 0; looks < 1000 && !((await lost()) >= 100); looks += 1) await new Promise((done) => setTimeout(done, 20));
        process.send(await lost());
        end('enough', 7);
        return { url: null };
      },
    });`;
  // Every write to it fails with ENOSPC.
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', full, full, 'ipc'],
    env: { PATH: process.env.PATH },
  });
  const reported = once(child, 'message');
  const ended = Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  const [count] = await Promise.race([
    reported,
    ended.then(([[code]]) => Promise.reject(new Error(`it ended with ${code}`))),
  ]);

  expect(count).toBeGreaterThanOrEqual(100);
  await ended;
});
