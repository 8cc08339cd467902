import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const changelog = `# Changes

## [Unreleased]

## [1.2.0] - 2026-12-01

### Upgrade

Nothing.

## [1.1.0] - 2026-11-01

* Old.
`;

/** A repository with one commit, whose package takes no time to build. */
function repository(): { folder: string; git(...args: string[]): void; write(path: string, text: string): void } {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-release-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'tag.gpgSign=false'];
  const git = (...args: string[]) => void execFileSync('git', [...who, ...args], { cwd: folder });
  const prepack = `mkdir -p dist && echo {} > dist/sbom.cdx.json && echo built`;
  write('package.json', JSON.stringify({ name: 'tried', version: '1.2.0', scripts: { prepack } }));
  write('.gitignore', 'dist\nrelease\n');
  write('CHANGELOG.md', changelog);
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  return { folder, git, write };
}

function release(folder: string, ...args: string[]) {
  return spawnSync(process.execPath, [resolve('scripts/release.mjs'), ...args], { cwd: folder, encoding: 'utf8' });
}

test('a release has package, bill of materials, notes and sums of all of them', () => {
  const { folder, git } = repository();
  git('tag', 'v1.2.0');

  const { status, stdout, stderr } = release(folder);

  expect(status, stderr).toBe(0);
  expect(stdout).toContain('npm publish release/tried-1.2.0.tgz');
  const files = ['tried-1.2.0.md', 'tried-1.2.0.sbom.cdx.json', 'tried-1.2.0.tgz'];
  expect(readdirSync(join(folder, 'release')).sort()).toEqual(['SHA256SUMS', ...files]);
  const read = (name: string) => readFileSync(join(folder, 'release', name));
  const sum = (name: string) => `${createHash('sha256').update(read(name)).digest('hex')}  ${name}\n`;
  expect(read('SHA256SUMS').toString()).toBe(files.map(sum).join(''));
  expect(read('tried-1.2.0.md').toString()).toBe('# 1.2.0\n\n### Upgrade\n\nNothing.\n');
});

test('what is not ready is refused with all that is wrong', () => {
  const { folder, write } = repository();
  write('CHANGELOG.md', changelog.replace('## [1.2.0] - 2026-12-01', '* Something new.'));

  const { status, stderr } = release(folder);

  expect(status).toBe(1);
  expect(stderr).toContain('CHANGELOG.md has no heading "## [1.2.0] - YYYY-MM-DD"');
  expect(stderr).toContain('Unreleased of CHANGELOG.md is not empty');
  expect(stderr).toContain('not committed');
  expect(stderr).toContain('git tag -s v1.2.0');
  expect(readdirSync(folder)).not.toContain('release');
});

test('CHANGELOG.md has a section a version, newest first, each with its date', () => {
  const headings = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

  expect(headings[0]).toBe('[Unreleased]');
  expect(headings[1]).toContain(`[${version}]`);
  for (const heading of headings.slice(1)) expect(heading).toMatch(/^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/);
  const dates = headings.slice(1).map((heading) => heading!.split(' - ')[1]);
  expect(dates).toEqual([...dates].sort().reverse());
});
