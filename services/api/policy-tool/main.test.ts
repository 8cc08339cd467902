import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { defaultRules } from '../auth/default-rules.ts';
import { run } from './main.ts';

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-policy-'));
  file = join(folder, 'policy.yaml');
  writeFileSync(file, 'goal:get_all: "role:reader"\n"audit:create": "role:operator and system_scope:all"\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

async function policy(...words: string[]) {
  let [out, err] = ['', ''];
  const writingOut = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
  const writingErr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += String(text);
    return true;
  });
  const code = await run(words).finally(() => {
    writingOut.mockRestore();
    writingErr.mockRestore();
  });
  return { code, out, err };
}

it('the sample is a policy file without effect, and contains every default as a comment', async () => {
  const { code, out } = await policy('sample');
  expect(code).toBe(0);
  expect(parse(out)).toBeNull();
  expect(parse(out.replaceAll(/^#(?=")/gm, ''))).toEqual(defaultRules);
  expect(out).toContain('# POST /v1/audits\n');
  expect(JSON.parse((await policy('sample', '--json')).out)).toEqual(defaultRules);
});

it('list prints the rules in force and the permissions of roles', async () => {
  const { out } = await policy('list', '--file', file, '--role', 'Reader');
  expect(out).toMatch(/^goal:get_all +allowed +role:reader {2}\(changed\)$/m);
  expect(out).toMatch(/^goal:get +denied +rule:admin_api$/m);
  const rules = JSON.parse((await policy('list', '--json')).out) as object[];
  expect(rules).toHaveLength(Object.keys(defaultRules).length);
  expect(rules).toContainEqual({
    rule: 'audit:create',
    check: 'rule:admin_api',
    default: 'rule:admin_api',
    overridden: false,
    allowed: null,
    operations: [
      'POST /v1/audits',
      'POST /v1/audits/{ident}/plan',
      'POST /v1/audits/preview',
      'POST /v1/audits/compare',
    ],
  });
});

it.each([
  [['audit:create', '--role', 'admin'], 0, 'allowed\n'],
  [['audit:create', '--role', 'member', 'reader'], 1, 'denied\n'],
  [['audit:create'], 1, 'denied\n'],
  [['webhook:trigger', '--role', 'service', '--json'], 0, '"allowed": true'],
])('check %j ends with %i', async (words, code, text) => {
  const result = await policy('check', ...words);
  expect(result).toMatchObject({ code, err: '', out: expect.stringContaining(text) });
});

it('check applies the file, and reports the fault of an invalid one', async () => {
  const operator = ['check', 'audit:create', '--file', file, '--role', 'operator'];
  expect((await policy(...operator)).code).toBe(1);
  expect((await policy(...operator, '--system-scope', 'all')).code).toBe(0);
  expect(await policy('check', '--file', file)).toMatchObject({ code: 0, out: `${file} can be used\n` });
  const bad = join(folder, 'bad.yaml');
  writeFileSync(bad, 'audit:crate: "role:reader"\n');
  expect(await policy('check', '--file', bad)).toMatchObject({ code: 2, err: expect.stringContaining('audit:create') });
  expect(await policy('check', 'audit:crate', '--role', 'x')).toMatchObject({
    code: 2,
    err: expect.stringContaining('did you mean audit:create?'),
  });
  expect((await policy('check', '--rool', 'x')).code).toBe(2);
});
