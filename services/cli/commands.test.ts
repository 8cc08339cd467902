import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it, vi } from 'vitest';
import type { VigilClient } from '#libs/client';
import { watchTargets } from '#libs/watchers';
import type { CliContext } from './cli-context.ts';
import { examples } from './command-examples.ts';
import { createProgram } from './create-program.ts';
import { runCli } from './main.ts';
import { processes, tools, watchModes } from './process-words.ts';

const quiet: CliContext = {
  env: {},
  out: () => undefined,
  err: () => undefined,
  isTerminal: false,
  pollMs: 1,
  client: () => ({}) as VigilClient,
};

/** Every command that does something, by its words. */
function leavesOf(command: Command, path = ''): { path: string; command: Command }[] {
  return command.commands.flatMap((child) => {
    const words = path === '' ? child.name() : `${path} ${child.name()}`;
    return child.commands.length > 0 ? leavesOf(child, words) : [{ path: words, command: child }];
  });
}

/** The words of a line as a shell splits them, up to a pipe or redirection. */
function wordsOf(line: string): string[] {
  const [command = ''] = line.split(/ [|>] /);
  return [...command.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ''));
}

const leaves = leavesOf(createProgram(quiet));

describe('every command', () => {
  it('has --json, a description and examples', () => {
    expect(leaves.length).toBeGreaterThan(45);
    for (const { path, command } of leaves) {
      expect(command.description(), path).not.toBe('');
      expect(examples[path]?.length ?? 0, path).toBeGreaterThan(0);
      const isJson = command.options.some(({ long }) => long === '--json');
      expect(isJson || path === 'completion', path).toBe(true);
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
      client,
      err: (text) => {
        err += text;
      },
    });
    if (path === 'completion') expect(code).toBe(0);
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
    ['policy', () => import('../api/policy-tool/main.ts')],
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
  const complete = async (...words: string[]) => {
    let script = '';
    await runCli(['completion', 'bash'], {
      ...quiet,
      out: (text) => {
        script += text;
      },
    });
    const line = ['vigil', ...words].map((word) => `'${word}'`).join(' ');
    const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _vigil; echo "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', `${script}\n${ask}`], { encoding: 'utf8' })
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
  });
});
