import { expect, test } from 'vitest';
import { serveUsage } from './process-usage.ts';

async function usage(word: string, ...args: string[]) {
  const texts = { out: '', err: '' };
  const code = await serveUsage(word, args, {
    out: (text) => {
      texts.out += text;
    },
    err: (text) => {
      texts.err += text;
    },
  });
  return { code, ...texts };
}

test('a process runs without arguments only', async () => {
  expect(await usage('api')).toEqual({ code: null, out: '', err: '' });
  expect(await usage('api', '--help')).toMatchObject({ code: 0, out: expect.stringContaining('Usage: vigil api [') });
  expect(await usage('applier', '--port=1')).toMatchObject({ code: 2, err: expect.stringContaining('"--port=1"') });
  // These parse their own arguments.
  for (const word of ['db', 'watch', 'simulator', 'audit']) expect((await usage(word, '--help')).code).toBeNull();
});

test('the help of up has its variables, those of the simulated cloud, and their defaults', async () => {
  const { out } = await usage('up', '--help');
  const names = new Set(out.match(/^ {2}VIGIL_\w+/gm)?.map((name) => name.trim()));
  const wanted = ['VIGIL_PORT', 'VIGIL_DATA_DIR', 'VIGIL_PLUGINS', 'VIGIL_SIMULATOR_PORT', 'VIGIL_SIMULATOR_WORLD'];
  for (const name of wanted) expect(names).toContain(name);
  expect(out).toContain('VIGIL_SIMULATOR_PORT (default: 9390)');
  expect(Math.max(...out.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
});
