// Makes the files of a release: npm run release [-- --out FOLDER] [--dry-run]. docs/upgrade.md has the steps before
// and after it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { changelogFaults, changelogSections } from './changelog.mjs';

const { values: options } = parseArgs({
  options: { out: { type: 'string', default: 'release' }, 'dry-run': { type: 'boolean', default: false } },
});
const { name, version, ...manifest } = JSON.parse(readFileSync('package.json', 'utf8'));
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();

const changelog = readFileSync('CHANGELOG.md', 'utf8');
const faults = changelogFaults(changelog).map((fault) => `CHANGELOG.md: ${fault}`);
const sectionOf = (wanted) => changelogSections(changelog).find((found) => found.version === wanted);
const section = sectionOf(version);
if (!section) faults.push(`CHANGELOG.md has no heading "## [${version}] - YYYY-MM-DD"`);
else if (section.text === '') faults.push(`CHANGELOG.md says nothing of ${version}`);
if (sectionOf('Unreleased')?.text)
  faults.push(`the section Unreleased of CHANGELOG.md is not empty: it belongs to ${version}`);
for (const key of ['repository', 'homepage', 'bugs']) {
  const text = JSON.stringify(manifest[key] ?? '');
  if (!/https?:\/\//.test(text) || text.includes('REPLACE-BEFORE-RELEASE'))
    faults.push(`package.json: ${key} needs the URL of this project`);
}
const pages = git('ls-files', '*.md').split('\n').filter(Boolean);
const unready = pages.filter((path) => readFileSync(path, 'utf8').includes('REPLACE-BEFORE-RELEASE'));
if (unready.length > 0) faults.push(`links to this project need its URL: ${unready.join(', ')}`);
if (git('status', '--porcelain') !== '') faults.push('there are changes that are not committed');
if (!git('tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`))
  faults.push(`the commit has no tag: git tag -s v${version} -m "Vigil ${version}"`);
if (faults.length > 0) {
  for (const fault of faults) console.error(`release: ${fault}`);
  if (!options['dry-run']) process.exit(1);
}

mkdirSync(options.out, { recursive: true });
if (readdirSync(options.out).length > 0) {
  console.error(`release: the folder ${options.out} is not empty`);
  process.exit(1);
}
// The output of its scripts goes to standard error, for people. Only the name of the file is read.
const packed = JSON.parse(
  execFileSync('npm', ['pack', '--json', '--pack-destination', options.out], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  }).replace(/^[^[]*(?=\[\s*\{)/, ''),
);
const file = packed[0].filename;
const base = `${name}-${version}`;
copyFileSync('dist/sbom.cdx.json', join(options.out, `${base}.sbom.cdx.json`));
writeFileSync(join(options.out, `${base}.md`), `# ${version}\n\n${section?.text ?? ''}\n`);
const sums = readdirSync(options.out)
  .sort()
  .map(
    (path) =>
      `${createHash('sha256')
        .update(readFileSync(join(options.out, path)))
        .digest('hex')}  ${path}\n`,
  );
writeFileSync(join(options.out, 'SHA256SUMS'), sums.join(''));
console.log(`${options.out}: ${file}, bill of materials, notes, SHA256SUMS
then: gpg --armor --detach-sign ${options.out}/SHA256SUMS
      npm publish ${join(options.out, file)} --provenance
      git push origin v${version}`);
