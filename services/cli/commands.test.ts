import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import type { VigilClient } from '#libs/client';
import { watchTargets } from '#libs/dependencies';
import { runVigil } from '../run-vigil.ts';
import { examples } from './command-examples.ts';
import { createProgram } from './create-program.ts';
import { exitCodes } from './exit-codes.ts';
import { runCli } from './main.ts';
import { formats } from './output/output-options.ts';
import { processes, tools, watchModes } from './process-words.ts';
import { leavesOf, quietContext as quiet } from './testing/every-command.ts';

/** The words of a line as a shell splits them, up to a pipe or redirection. */
function wordsOf(line: string): string[] {
  const [command = ''] = line.split(/ [|>] /);
  return [...command.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ''));
}

const leaves = leavesOf(createProgram(quiet));
/** Commands that send no request and print their own format. */
const printsText = new Set(['completion', 'manual']);

describe('every command', () => {
  it('has --json, a description and examples', () => {
    expect(leaves.length).toBeGreaterThan(45);
    for (const { path, command } of leaves) {
      expect(command.description(), path).not.toBe('');
      expect(examples[path]?.length ?? 0, path).toBeGreaterThan(0);
      const isJson = command.options.some(({ long }) => long === '--json');
      expect(isJson || printsText.has(path), path).toBe(true);
    }
    expect(Object.keys(examples).sort()).toEqual(leaves.map(({ path }) => path).sort());
  });

  const lines = Object.entries(examples).flatMap(([path, all]) => all.map((line) => [path, line] as const));
  it.each(lines.filter(([path]) => path !== 'plugin new'))('%s: vigil %s', async (path, line) => {
    let err = '';
    const client = () => {
      throw new Error('asked');
    };
    const code = await runCli(wordsOf(line), {
      ...quiet,
      assessPlugin: client,
      client,
      worldWhatIf: client,
      err: (text) => {
        err += text;
      },
    });
    if (printsText.has(path)) expect(code).toBe(0);
    else expect(err).toBe('vigil: asked\n');
  });
});

describe('tools', () => {
  it('watch has the targets that completion offers', () => {
    expect(tools.watch).toEqual(watchTargets);
  });

  it.each([
    ['db', () => import('../database/main.ts')],
    ['status', () => import('../status/main.ts')],
    ['config', () => import('../config/main.ts')],
    ['keystone', () => import('../keystone/main.ts')],
    ['metrics', () => import('../metrics/main.ts')],
    ['catalogue', () => import('../decision-engine/catalogue-tool/main.ts')],
    ['policy', () => import('../api/policy-tool/main.ts')],
    ['world', async () => ({ run: (args: string[]) => runVigil(['world', ...args], () => ['world', ...args]) })],
  ] as const)('%s has the words that completion offers', async (tool, load) => {
    const { run } = await load();
    let help = '';
    const writing = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      help += String(text);
      return true;
    });
    await run(['--help']);
    writing.mockRestore();
    const found = [...help.matchAll(/^ {2}([a-z-]+) /gm)].map(([, word]) => word!).filter((word) => word !== 'help');
    expect(found.sort()).toEqual([...(tools[tool] ?? [])].sort());
  });
});

it('the manual names every command, tool and process', () => {
  const manual = readFileSync('docs/cli.md', 'utf8');
  const words = [...leaves.map(({ path }) => path), ...Object.keys(processes), ...Object.keys(tools)];

  expect(words.filter((path) => !manual.includes(`vigil ${path}`))).toEqual([]);
});

it('every exit code is in the help, the manual page and docs/cli.md', async () => {
  const texts = { help: '', manual: '' };
  const printing = (name: 'help' | 'manual') => (part: string) => {
    texts[name] += part;
  };
  await runCli(['--help'], { ...quiet, out: printing('help') });
  await runCli(['manual'], { ...quiet, out: printing('manual') });
  const page = readFileSync('docs/cli.md', 'utf8');
  for (const [codes, meaning] of exitCodes) {
    expect(texts.help).toMatch(new RegExp(`^ {2}${codes} +${meaning}$`, 'm'));
    expect(texts.manual.replaceAll('\\-', '-')).toContain(`.B ${codes}\n${meaning}\n`);
    for (const code of codes.split(', '))
      expect(page).toMatch(new RegExp(`^\\| .*\\b${code}\\b.* \\||with ${code} |and ${code} `, 'm'));
  }
});

it('the help names no file of the sources', async () => {
  for (const { command } of leaves) expect(command.helpInformation()).not.toMatch(/docs\/|\.md\b/);
  expect(createProgram(quiet).helpInformation()).not.toMatch(/docs\/|\.md\b/);
});

it('bare vigil lists up, demo and the processes first', async () => {
  let err = '';
  const code = await runCli([], {
    ...quiet,
    err: (text) => {
      err += text;
    },
  });
  expect(code).toBe(2);
  const [first = '', ...others] = err.split('\n');
  expect(first).toContain('vigil demo');
  const listed = others.slice(1, 1 + Object.keys(processes).length);
  expect(listed.map((line) => line.trim().split(/\s+/)[1])).toEqual(Object.keys(processes));
  expect(err.indexOf('Usage: vigil')).toBeGreaterThan(err.indexOf('vigil simulator'));
});

describe('completion in bash', () => {
  let requested = '';
  const complete = async (...words: string[]) => {
    let script = '';
    await runCli(['completion', 'bash'], {
      ...quiet,
      out: (text) => {
        script += text;
      },
    });
    const line = ['vigil', ...words].map((word) => `'${word}'`).join(' ');
    const completion = `COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _vigil; echo "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', `${script}\n${requested}\n${completion}`], { encoding: 'utf8' })
      .trim()
      .split(' ');
  };

  it('goes from word to word, to options, targets and modes', async () => {
    expect(await complete('actionp')).toEqual(['actionplan']);
    expect(await complete('audit', 'cre')).toEqual(['create']);
    expect(await complete('audit', 'create', '--par')).toEqual(['--parameter']);
    expect(await complete('db', 'up')).toEqual(['upgrade']);
    expect(await complete('watch', 'engine', '')).toEqual([...watchModes]);
    expect(await complete('completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(await complete('actionplan', 'start', 'x', '--on-failure', '')).toEqual(['continue', 'stop', 'rollback']);
    expect(await complete('audit', 'create', '-t', 'CON')).toEqual(['CONTINUOUS']);
    expect(await complete('goal', 'list', '-f', '')).toEqual([...formats]);
    expect(await complete('audit', 'list', '--column', 'goal')).toEqual(['goal_name']);
    expect(await complete('--deb')).toEqual(['--debug']);
  });

  it('requests names and uuids from the API where one is expected', async () => {
    requested = 'vigil() { echo "$3-1 $3-2"; };';
    expect(await complete('audit', 'create', '-g', '')).toEqual(['goals-1', 'goals-2']);
    expect(await complete('actionplan', 'start', 'act')).toEqual(['action_plans-1', 'action_plans-2']);
    expect(await complete('actionplan', 'start', '--wa')).toEqual(['--wait']);
    expect(await complete('tasks', 'run', 'task')).toEqual(['task_names-1', 'task_names-2']);
  });
});

it.each([
  [
    'goals',
    {
      list: async () => [
        { uuid: 'u1', name: 'dummy' },
        { uuid: 'u2', name: 'of two words' },
      ],
    },
    'dummy\nu2\n',
  ],
  ['services', { internal: async () => ({ services: [{ name: 'watcher-api', host: 'a' }] }) }, 'watcher-api@a\n'],
])('completion has values of %s', async (kind, client, text) => {
  let out = '';
  const code = await runCli(['completion', 'values', kind], {
    ...quiet,
    client: ({ timeout }) => {
      expect(timeout).toBe('3');
      return client as unknown as VigilClient;
    },
    out: (part) => {
      out += part;
    },
  });
  expect({ code, out }).toEqual({ code: 0, out: text });
});

it('the manual page names every command with its options, and nothing that roff takes for a request', async () => {
  let page = '';
  await runCli(['manual'], {
    ...quiet,
    out: (part) => {
      page += part;
    },
  });
  const read = page.replaceAll('\\-', '-');
  for (const { path, command } of leaves) {
    expect(read).toContain(`.SS vigil ${path} `);
    for (const { flags } of command.options) expect(read).toContain(`.B ${flags}\n`);
  }
  const requests = new Set(page.split('\n').flatMap((line) => line.match(/^\.(\w*)/)?.[1] ?? []));
  expect([...requests].sort()).toEqual(['B', 'PP', 'SH', 'SS', 'TH', 'TP', 'br', 'fi', 'nf']);
});
