// @needs build
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import type { Logger } from '#libs/domain';
import { createMetrics } from './create-metrics.ts';
import { choice, integer, parseEnv } from './env/index.ts';
import { createReload } from './reload-configuration.ts';

const folder = mkdtempSync(join(tmpdir(), 'vigil-reload-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'vigil.conf');

/** Replaces the file at once, as a careful editor does. */
function write(...lines: string[]): void {
  writeFileSync(`${file}.new`, ['[vigil]', ...lines, ''].join('\n'));
  renameSync(`${file}.new`, file);
}

it('a process takes reloadable keys at SIGHUP, names those that need a restart, and keeps its values when a file is wrong', async () => {
  write('log_level = error');
  const script = `
    import { loadEnvironment } from ${JSON.stringify(resolve('dist/libs/config-file/index.js'))};
    import { runService } from ${JSON.stringify(resolve('dist/libs/service-kit/index.js'))};
    const files = { files: [process.env.VIGIL_CONFIG_FILE], folders: [] };
    const { environment } = loadEnvironment(process.env, files, 'trial');
    process.exitCode = await runService({
      name: 'trial',
      env: {},
      async start({ env, logger, follow, onReload }) {
        const old = logger.child({ plan: 'p' });
        const settings = follow(() => ({ level: env.VIGIL_LOG_LEVEL, tries: env.VIGIL_GATE_TRIES }));
        onReload(() => {
          old.info('a logger from before');
          process.send(settings);
        });
        return { url: null };
      },
    }, environment);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, VIGIL_CONFIG_FILE: file },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let log = '';
  child.stderr?.on('data', (chunk) => {
    log += chunk;
  });
  const ended = once(child, 'exit');
  await once(child, 'message');

  write('log_level = loud', 'gate_tries = 7');
  child.kill('SIGHUP');
  await expect.poll(() => log).toContain('VIGIL_LOG_LEVEL must be one of debug, info, warn, error');
  expect(log).toContain('keeping the present configuration');

  write('log_level = info', 'gate_tries = 7');
  const reloaded = once(child, 'message');
  child.kill('SIGHUP');
  expect((await reloaded)[0]).toEqual({ level: 'info', tries: 5 });
  await expect.poll(() => log).toContain('"keys":["VIGIL_LOG_LEVEL"],"msg":"configuration reloaded"');
  expect(log).toMatch(
    /"level":"warn".*"keys":\["VIGIL_GATE_TRIES"\],"msg":"changed keys take effect at the next start of the process/,
  );
  expect(log).toContain('a logger from before');

  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

const schema = {
  VIGIL_LIMIT: integer({ default: 5, min: 0, max: 100, reloadable: true, description: 'a limit' }),
  VIGIL_MODE: choice({ words: ['a', 'b'], default: 'a', description: 'a mode' }),
};

/** The configuration of a started process, and its log. */
function started() {
  const lines: [string, object][] = [];
  const line = (fields: unknown, text?: string) => void lines.push([text ?? '', fields as object]);
  const logger: Logger = { debug: line, info: line, warn: line, error: line, child: () => logger };
  const environment = { VIGIL_CONFIG_FILE: file, VIGIL_CONFIG_KEYS: '', OS_REGION_NAME: 'one', OS_CLOUD: 'mine' };
  const env = parseEnv(schema, environment);
  const metrics = createMetrics('trial');
  const reload = createReload({ name: 'trial', schema, checks: [], environment, env, logger, metrics });
  return { reload, env, lines };
}

it('the variables of the cloud need a restart', async () => {
  write('limit = 7', 'mode = a');
  writeFileSync(file, '[vigil]\nlimit = 7\n[openstack]\nauth_url = http://keystone:5000/v3\nregion_name = two\n');
  const { reload, env, lines } = started();
  await reload.now();
  expect(env).toEqual({ VIGIL_LIMIT: 7, VIGIL_MODE: 'a' });
  // The environment of the process itself says the region.
  expect(lines.map(([, fields]) => fields)).toEqual([{ keys: ['OS_AUTH_URL'] }, { keys: ['VIGIL_LIMIT'] }]);
});

it('a file that changes while it is read is read again', async () => {
  for (let limit = 10; limit < 30; limit += 2) {
    write(`limit = ${limit}`);
    const { reload, env } = started();
    const reading = reload.now();
    write(`limit = ${limit + 1} `);
    await reading;
    const stop = reload.followFiles(5);
    await expect.poll(() => env.VIGIL_LIMIT).toBe(limit + 1);
    await stop();
  }
});

it('a changed file is read automatically once it is stable', async () => {
  write('limit = 7');
  const { reload, env, lines } = started();
  await reload.now();
  const stop = reload.followFiles(10);
  onTestFinished(stop);

  write('limit = 8', 'mode = c');
  await expect.poll(() => JSON.stringify(lines)).toContain('VIGIL_MODE must be one of a, b');
  expect(env.VIGIL_LIMIT).toBe(7);

  write('limit = 9');
  await expect.poll(() => env.VIGIL_LIMIT).toBe(9);
  rmSync(file);
  await expect.poll(() => JSON.stringify(lines)).toContain('cannot be read');
  expect(env.VIGIL_LIMIT).toBe(9);
});
