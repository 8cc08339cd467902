import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cloudEnv } from '../system/cloud-env.ts';
import { runVigil } from '../system/vigil-process.ts';
import { type ClientStack, startClientStack } from './client-stack.ts';

/** The table of the documentation, run with `vigil` and with `openstack optimize` of Debian's unchanged client. */
let cloud: ClientStack;
/** Replacements for words of commands: uuids, and separate names of each command. */
const words = { theirs: {}, ours: {} } as Record<'theirs' | 'ours', Record<string, string>>;

beforeAll(async () => {
  cloud = await startClientStack(['--generate', 'hosts=4,instances=12,seed=7', '--speed', '200']);
  const create = ['audit', 'create', '-g', 'dummy', '-s', 'dummy', '--name'];
  for (const name of ['first', 'second']) await cloud.show(...create, name);
  await cloud.show('audittemplate', 'create', 'nightly', 'dummy', '-d', 'every night, at "two"');
  const plans = async () => expect(await cloud.list('actionplan', 'list')).toHaveLength(2);
  await vi.waitFor(plans, { timeout: 60_000, interval: 500 });
  const audit = await cloud.show('audit', 'show', 'first');
  const [plan] = await cloud.list('actionplan', 'list', '--audit', String(audit.UUID));
  const [action] = await cloud.list('action', 'list', '--action-plan', String(plan?.UUID));
  const shared = { AUDIT: String(audit.UUID), PLAN: String(plan?.UUID), ACTION: String(action?.UUID) };
  words.theirs = { ...shared, EACH: 'theirs' };
  words.ours = { ...shared, EACH: 'ours' };
}, 240_000);
afterAll(() => cloud?.stop());

async function both(line: string) {
  const parts = line.match(/"[^"]*"|\S+/g) ?? [];
  const of = (own: Record<string, string>) => parts.map((word) => own[word] ?? word.replaceAll('"', ''));
  const env = { ...cloudEnv(null, 'admin', 'admin'), OS_AUTH_URL: `${cloud.stack.simulator.url}/identity/v3` };
  const [theirs, ours] = await Promise.all([cloud.optimize(...of(words.theirs)), runVigil(of(words.ours), env)]);
  return { theirs, ours: { code: ours.exitCode, stdout: ours.stdout, stderr: ours.stderr } };
}

const page = readFileSync('docs/cli-side-by-side.md', 'utf8');
const rows = [...page.matchAll(/^\| `([^`]+)` \| (\d+)(?: \/ (\d+))? \| (.+) \|$/gm)].map(
  ([, line = '', theirs, ours = theirs, output = '']) => ({ line, codes: [Number(theirs), Number(ours)], output }),
);

test('the table has commands with every kind of output', () => {
  expect(rows.length).toBeGreaterThan(40);
  expect(new Set(rows.map(({ output }) => output))).toEqual(new Set(['same text', 'same values', 'none', 'of vigil']));
});

test.each(rows)('$line', async ({ line, codes, output }) => {
  const { theirs, ours } = await both(line);
  expect([theirs.code, ours.code], theirs.stderr + ours.stderr).toEqual(codes);
  if (output === 'same values') expect(JSON.parse(ours.stdout)).toMatchObject(JSON.parse(theirs.stdout));
  else if (output === 'of vigil') expect([theirs.stdout === '', ours.stdout === '']).toEqual([true, false]);
  else expect(ours.stdout).toBe(theirs.stdout);
  expect(ours.stdout === '').toBe(output === 'none');
});
