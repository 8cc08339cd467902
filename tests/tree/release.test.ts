import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const changelog = `# Changes

## [Unreleased]

## [1.2.0] - 2026-12-01

Stop all processes first.

### Fixed

* A fault.

## [1.1.0] - 2026-11-01

### Added

* Old.
`;

/** A repository with one commit and a package that builds immediately. */
function repository(): { folder: string; git(...args: string[]): void; write(path: string, text: string): void } {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-release-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'tag.gpgSign=false'];
  const git = (...args: string[]) => void execFileSync('git', [...who, ...args], { cwd: folder });
  const prepack = `mkdir -p dist && echo {} > dist/sbom.cdx.json && echo built`;
  const url = 'https://example.org/tried';
  const places = { homepage: url, bugs: { url: `${url}/issues` }, repository: { type: 'git', url: `git+${url}.git` } };
  write('package.json', JSON.stringify({ name: 'tried', version: '1.2.0', ...places, scripts: { prepack } }));
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
  expect(read('tried-1.2.0.md').toString()).toBe('# 1.2.0\n\nStop all processes first.\n\n### Fixed\n\n* A fault.\n');
});

test('an unready release is refused with all reasons', () => {
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

test('a release whose package names no repository is refused', () => {
  const { folder, write } = repository();
  const placeholder = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, unknown>;
  const { homepage, bugs } = placeholder;
  write('package.json', JSON.stringify({ name: 'tried', version: '1.2.0', homepage, bugs }));
  write('CHANGELOG.md', `${changelog}\nSee [libs](https://REPLACE-BEFORE-RELEASE.invalid/vigil/blob/main/libs).\n`);

  const { status, stderr } = release(folder);

  expect(stderr).toContain('package.json: repository needs the URL of this project');
  expect(stderr).toContain('links to this project need its URL: CHANGELOG.md');
  const isReady = !JSON.stringify(placeholder).includes('REPLACE-BEFORE-RELEASE');
  expect(stderr.includes('package.json: homepage needs')).toBe(!isReady);
  expect(stderr.includes('package.json: bugs needs')).toBe(!isReady);
  expect(status).toBe(1);
});

/** A program without types, since `npm run release` needs no build. */
const { changelogFaults } = (await import(pathToFileURL(resolve('scripts/changelog.mjs')).href)) as {
  changelogFaults(changelog: string): string[];
};

test('CHANGELOG.md has the form of Keep a Changelog, and has an entry for this version', () => {
  const text = readFileSync('CHANGELOG.md', 'utf8');
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

  expect(changelogFaults(text)).toEqual([]);
  expect(text).toContain(`\n## [${version}] - `);
});

test.each([
  ['## [Unreleased]\n', '', 'the first heading must be "## [Unreleased]"'],
  ['2026-12-01', 'soon', '1.2.0: the heading must be "## [x.y.z] - YYYY-MM-DD"'],
  ['2026-12-01', '2026-10-01', 'the newest version must be first'],
  ['### Fixed', '### Dashboard', '1.2.0: its headings must be some of Added'],
  ['* A fault.', '* A fault.\n\n### Added\n\n* More.', '1.2.0: its headings must be some of Added'],
  ['* A fault.', '', '1.2.0: Fixed has no entry'],
  ['* A fault.', '* A fault.\n* A fault.', '1.2.0: told twice: A fault.'],
  ['* A fault.', `* ${'word '.repeat(30)}`, '1.2.0: a line has more than 120 signs'],
  ['* A fault.', '* a\n  b\n  c\n  d', '1.2.0: an entry has more than 3 lines'],
  ['* A fault.', 'A fault.\n\n* One more.', '1.2.0: Fixed has text that belongs to no entry'],
])('in a change log, %j as %j is refused', (right, wrong, fault) => {
  expect(changelogFaults(changelog)).toEqual([]);
  expect(changelogFaults(changelog.replace(right, wrong)).join('\n')).toContain(fault);
});
