import { expect, test } from 'vitest';
import { serveUsage } from './process-usage.ts';

function usage(word: string, ...args: string[]) {
  const texts = { out: '', err: '' };
  const code = serveUsage(word, args, {
    out: (text) => {
      texts.out += text;
    },
    err: (text) => {
      texts.err += text;
    },
  });
  return { code, ...texts };
}

test('a process runs without arguments only', () => {
  expect(usage('api')).toEqual({ code: null, out: '', err: '' });
  expect(usage('api', '--help')).toMatchObject({ code: 0, out: expect.stringContaining('Usage: vigil api\n') });
  expect(usage('applier', '--port=1')).toMatchObject({ code: 2, err: expect.stringContaining('"--port=1"') });
  // These parse their own arguments.
  for (const word of ['db', 'watch', 'simulator', 'audit']) expect(usage(word, '--help').code).toBeNull();
});
