// The links of the pages in the package: a step of `npm run check`. A relative link must lead to a file or folder that
// the package contains. A link to another file of the tree starts with the address of the repository.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';

/** Files of the package without the compiled ones: npm would compress all of `dist` to list them. */
function filesOfPackage() {
  const copy = mkdtempSync(join(tmpdir(), 'vigil-links-'));
  try {
    const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' }).split('\n');
    for (const path of tracked.filter((each) => /^(docs|deploy|openapi)\/|^[^/]+$/.test(each)))
      cpSync(path, join(copy, path), { force: true });
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
    const [{ files }] = JSON.parse(execFileSync('npm', args, { cwd: copy, encoding: 'utf8' }));
    return files.map(({ path }) => path);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

const packed = new Set(filesOfPackage());
for (const path of [...packed]) {
  for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) packed.add(folder);
}
const { homepage } = JSON.parse(readFileSync('package.json', 'utf8'));

const pages = [...packed].filter((path) => path.endsWith('.md'));
const faults = pages.flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g)].flatMap(([, link]) => {
    if (/^[a-z]+:/.test(link)) return [];
    const target = posix.join(posix.dirname(page), link).replace(/\/$/, '');
    return packed.has(target) ? [] : [`${page}: ${link}; use ${homepage}/blob/main/${target}`];
  }),
);
for (const fault of faults) console.error(`the package does not contain the target of ${fault}`);
console.log(`${pages.length} pages of the package`);
process.exitCode = faults.length > 0 || pages.length < 20 ? 1 : 0;
