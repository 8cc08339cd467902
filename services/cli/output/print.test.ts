import { expect, test } from 'vitest';
import type { VigilClient } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { runCli } from '../main.ts';

/** Would clear the screen, write red and turn the text around. */
const stored = 'zone\u001b[2J\r\u009b31m\u202e\u0007';

async function vigil(words: string[], client: Partial<Record<keyof VigilClient, unknown>>) {
  let text = '';
  const write = (part: string) => {
    text += part;
  };
  const context: Partial<CliContext> = {
    env: {},
    out: write,
    err: write,
    isTerminal: false,
    columns: 100,
    pollMs: 1,
    client: () => client as unknown as VigilClient,
  };
  await runCli(words, context);
  return text;
}

const listing = (goals: object[]) => ({ list: async () => goals });

test.each([[[]], [['--json']]])('texts of the API cannot control the terminal (%j)', async (options) => {
  const goals = listing([{ uuid: 'u', name: stored, display_name: 'two\nlines' }]);
  const text = await vigil(['goal', 'list', ...options], goals);
  expect(text).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  if (options.length > 0) expect(JSON.parse(text)).toMatchObject([{ name: stored }]);
  else expect(text.replaceAll(/[\s│]+/g, '')).toContain('zone\\u001b[2J\\r\\u009b31m\\u202e\\u0007');
});

test('nor does the text of an error', async () => {
  const failing = { list: () => Promise.reject(new Error(`refused ${stored}`)) };
  expect(await vigil(['goal', 'list'], failing)).toBe('vigil: refused zone\\u001b[2J\\r\\u009b31m\\u202e\\u0007\n');
});
