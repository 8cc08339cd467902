import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { VigilClient } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { runCli } from '../main.ts';
import { quietContext } from '../testing/every-command.ts';
import { shellText } from './print-values.ts';
import { selectTables } from './select-tables.ts';

const uuid = (digit: number) => `0000000${digit}-0000-4000-8000-000000000000`;
const audit = (digit: number, fields: object) => ({
  uuid: uuid(digit),
  name: `audit-${digit}`,
  audit_type: 'ONESHOT',
  state: 'SUCCEEDED',
  goal_name: 'dummy',
  strategy_name: null,
  auto_trigger: false,
  created_at: '2026-11-27T12:00:00+00:00',
  parameters: { period: 300 },
  ...fields,
});
const audits = [audit(2, { auto_trigger: true, state: 'ONGOING' }), audit(1, { name: 'a, "b"' }), audit(3, {})];

interface Terminal {
  columns?: number;
  env?: CliContext['env'];
}

/** Runs a command against these audits, in a pipe unless `columns` is given. */
async function vigil(words: string[], { columns, env = {} }: Terminal = {}) {
  const seen = { out: '', err: '', requests: 0 };
  const request = async <Result>(result: Result) => {
    seen.requests += 1;
    return result;
  };
  const client = { list: () => request(audits), get: () => request(audits[0]) } as unknown as VigilClient;
  const code = await runCli(words, {
    ...quietContext,
    verbosity: { level: 'normal' },
    env,
    columns,
    now: () => Date.parse('2026-11-27T15:00:00Z'),
    client: () => client,
    out: (text) => {
      seen.out += text;
    },
    err: (text) => {
      seen.err += text;
    },
  });
  return { code, ...seen };
}

const list = (...options: string[]) => ['audit', 'list', ...options];
const show = (...options: string[]) => ['audit', 'show', 'audit-2', ...options];

test.each([
  ['json has the titles of Watcher’s client', list('-f', 'json', '-c', 'Goal'), '[\n  {\n    "Goal": "dummy"\n  }'],
  ['json of an object', show('-f', 'json', '-c', 'Strategy'), '{\n  "Strategy": null\n}\n'],
  ['--noindent', list('-f', 'json', '--noindent', '-c', 'UUID'), `[{"UUID":"${uuid(2)}"},{"UUID":"${uuid(1)}"}`],
  ['--noindent with --json', show('--json', '--noindent'), `{"uuid":"${uuid(2)}","name":"audit-2"`],
  [
    '--json with columns has the names of the API',
    show('--json', '--noindent', '-c', 'Goal'),
    '{"goal_name":"dummy"}\n',
  ],
  ['yaml', list('-f', 'yaml', '-c', 'Name', '-c', 'Auto Trigger'), '- Name: audit-2\n  Auto Trigger: true\n'],
  [
    'csv quotes all but numbers and booleans',
    list('-f', 'csv', '-c', 'Name', '-c', 'Auto Trigger', '-c', 'Strategy'),
    '"Name","Strategy","Auto Trigger"\n"audit-2","",True\n"a, ""b""","",False\n',
  ],
  ['csv with fewer quotes', list('-f', 'csv', '--quote', 'minimal', '-c', 'Name'), 'Name\naudit-2\n"a, ""b"""\n'],
  [
    'value has one row a line, in Python’s words',
    list('-f', 'value', '-c', 'Auto Trigger', '-c', 'Strategy'),
    'None True\nNone False\n',
  ],
  ['value has one field of an object a line', show('-f', 'value', '-c', 'Name', '-c', 'State'), 'audit-2\nONGOING\n'],
  [
    'shell has one variable a field',
    show('-f', 'shell', '--prefix', 'a_', '-c', 'Auto Trigger', '-c', 'Strategy'),
    'a_strategy="None"\na_auto_trigger="True"\n',
  ],
  ['objects are JSON among values', show('-f', 'value', '-c', 'Parameters'), '{"period":300}\n'],
  [
    'columns in the order of the command, by field or title',
    list('-f', 'value', '-c', 'state', '-c', 'UUID', '-c', 'State'),
    `${uuid(2)} ONGOING\n`,
  ],
  ['a column of --detail', list('-f', 'value', '-c', 'Created At'), '2026-11-27T12:00:00+00:00\n'],
  ['sorted', list('-f', 'value', '-c', 'Name', '--sort-column', 'UUID'), 'a, "b"\naudit-2\naudit-3\n'],
  [
    'sorted by several columns',
    list('-f', 'value', '-c', 'Name', '--sort-column', 'State', '--sort-column', 'UUID'),
    'audit-2\na, "b"\naudit-3\n',
  ],
  [
    'sorted from high to low',
    list('-f', 'value', '-c', 'Name', '--sort-column', 'UUID', '--sort-descending'),
    'audit-3\n',
  ],
])('%s', async (_, words, text) => {
  const { code, out, err } = await vigil(words);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out.startsWith(text), out).toBe(true);
});

test('a shell reads the variables of shell as they are, and expands nothing', () => {
  const name = 'a "b" $(echo c) `echo d` $HOME \\ \'e\'\nf';
  const columns = [{ title: 'Name', field: 'name', isTime: false }];

  const text = shellText({ isFields: true, rows: [{ name }], columns });

  expect(execFileSync('sh', ['-c', `${text}printf %s "$name"`], { encoding: 'utf8' })).toBe(name);
});

test('yaml and json have the same values', async () => {
  const [yaml, json] = [await vigil(list('-f', 'yaml', '--detail')), await vigil(list('-f', 'json', '--detail'))];
  expect(parse(yaml.out)).toEqual(JSON.parse(json.out));
});

describe('wrong usage is refused before any request', () => {
  test.each([
    [list('-c', 'Sate'), 'Did you mean State?'],
    [list('-c', 'nonsense'), 'Columns: UUID, Name'],
    [list('--sort-column', 'Nme'), 'Did you mean Name?'],
    [show('-c', 'Strtegy'), 'Did you mean Strategy?'],
    [list('-f', 'jsn'), 'Allowed choices are table, json, yaml, csv, value'],
    [list('-f', 'shell'), 'Allowed choices are table, json, yaml, csv, value'],
    [show('-f', 'shell', '--prefix', 'rm -r;'), 'letters, digits and _'],
    [list('--json', '-f', 'csv'), 'cannot be used with'],
    [list('--max-width', 'wide'), 'whole number of characters'],
  ])('%j', async (words, text) => {
    const { code, err, requests } = await vigil(words);
    expect({ code, requests }).toEqual({ code: 2, requests: 0 });
    expect(err).toContain(text);
    expect(err.trim()).not.toContain('\n');
  });
});

describe('in a pipe', () => {
  test('a table has no frame, every column, full times and one line a row', async () => {
    const { out, err } = await vigil(list('--detail'), { env: { COLUMNS: '40' } });
    expect(err).toBe('');
    expect(out).not.toMatch(/[│─┌]|ago/);
    const [head = '', ...rows] = out.trimEnd().split('\n');
    expect(head.split(/ {2,}/)).toContain('Status message');
    expect(rows).toHaveLength(3);
    expect(rows[0]).toContain('2026-11-27T12:00:00+00:00');
    expect(rows[0]).toContain('{"period":300}');
  });

  test.each([
    ['a frame when it is requested', list('-f', 'table'), {}, /^┌.*┐\n/],
    ['a frame around full times', show('-f', 'table', '-c', 'Created At'), {}, /│ 2026-11-27T12:00:00\+00:00 +│/],
    ['--fit-width into COLUMNS', list('--fit-width'), { COLUMNS: '60' }, /^.{1,60}\n/],
    ['--fit-width into 80 columns', list('--fit-width'), {}, /^.{61,80}\n/],
    ['CLIFF_FIT_WIDTH', list(), { CLIFF_FIT_WIDTH: '1' }, /^.{61,80}\n/],
    ['--max-width', list('--max-width', '70'), {}, /^.{50,70}\n/],
    ['CLIFF_MAX_TERM_WIDTH', list(), { CLIFF_MAX_TERM_WIDTH: '70' }, /^.{50,70}\n/],
  ])('has %s', async (_, words, env, pattern) => {
    expect((await vigil(words, { env })).out).toMatch(pattern);
  });
});

describe('on a terminal', () => {
  test.each([
    [
      'fits and names the columns that it left out',
      list(),
      /^┌/,
      '+3 columns (Audit Type, Strategy, Auto Trigger): -c or --wide\n',
    ],
    ['--wide shows all', list('--wide'), /Audit Type.*Auto Trigger/, ''],
    ['--max-width 0 shows all', list('--max-width', '0'), /Audit Type.*Auto Trigger/, ''],
    ['--quiet prints no hints', list('-q'), /^┌/, ''],
    ['ages instead of times', list('-c', 'Created At'), /│ 3 hours ago +│/, ''],
    ['a word for a strategy that the service chooses', show('-c', 'Strategy'), /│ auto +│/, ''],
  ])('%s', async (_, words, pattern, hint) => {
    const { out, err } = await vigil(words, { columns: 80 });
    expect(out).toMatch(pattern);
    expect(err).toBe(hint);
  });

  test('TERM=dumb has no frame', async () => {
    const { out } = await vigil(list(), { columns: 80, env: { TERM: 'dumb' } });
    expect(out).toMatch(/^UUID +Name/);
    expect(Math.max(...out.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  test.each([{ NO_COLOR: '1' }, { FORCE_COLOR: '3', TERM: 'xterm-256color' }])(
    'nothing is coloured with %j',
    async (env) => {
      const texts = await Promise.all(
        [list(), show(), ['--help'], list('--help')].map((words) => vigil(words, { columns: 80, env })),
      );
      for (const { out, err } of texts) expect(out + err).not.toContain('\u001b');
    },
  );
});

test('help shows true defaults', async () => {
  const { out } = await vigil(['actionplan', 'start', '--help'], { columns: 80 });
  expect(out.replaceAll(/\s+/g, ' ')).toContain('(default: 600)');
  expect(out).toContain('Output options:');
});

test('a column of the command that is also a further one is printed once', () => {
  const name = { field: 'name', title: 'Name', isTime: false };
  const [table] = selectTables([{ rows: [], columns: [name], more: [name] }], { column: ['Name'] });
  expect(table?.columns).toEqual([name]);
});
