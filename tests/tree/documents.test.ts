import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';

const read = (path: string) => readFileSync(path, 'utf8');
const foldersOf = (path: string) =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

const documents = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((path) => existsSync(path));

/** A program without types, shared with the site, which needs no build. */
const { githubAnchor } = (await import(pathToFileURL(resolve('docs/site/github-anchor.mjs')).href)) as {
  githubAnchor(heading: string): string;
};

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => githubAnchor(heading!));
}

/** Start of links to files that the package does not contain. `homepage` is replaced at the first release. */
const inRepository = `${(JSON.parse(read('package.json')) as { homepage: string }).homepage}/blob/main/`;

/** Broken links of a page. */
function brokenLinks(page: string, text = read(page)): string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
  return links.filter((link) => {
    const isOfTree = link.startsWith(inRepository);
    if (/^[a-z]+:/.test(link) && !isOfTree) return false;
    const [path = '', anchor] = link.replace(inRepository, '').split('#');
    const target = path === '' ? page : isOfTree ? resolve(path) : resolve(dirname(page), path);
    if (!existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(target).includes(anchor);
  });
}

describe('documents', () => {
  test('link only to existing targets', () => {
    const broken = documents.flatMap((page) => brokenLinks(page).map((link) => `${page}: ${link}`));

    expect(broken).toEqual([]);
    expect(documents.length).toBeGreaterThan(50);
    const wrong = `[a](no/such/page.md) [b](README.md#no-such-heading) [c](${inRepository}no/such.md)`;
    expect(brokenLinks('README.md', wrong)).toHaveLength(3);
  });

  test.each(['libs', 'services'])('every folder of %s has a README and a line in the architecture', (area) => {
    const architecture = read('docs/architecture.md');
    const named = (name: string) => architecture.includes(area === 'libs' ? `\`${name}\`` : `\`services/${name}\``);

    const folders = foldersOf(area);

    expect(folders.filter((name) => !existsSync(`${area}/${name}/README.md`))).toEqual([]);
    expect(folders.filter((name) => !named(name))).toEqual([]);
  });

  test('the architecture names every table', () => {
    const architecture = read('docs/architecture.md');
    const migrations = readdirSync('migrations').map((file) => read(`migrations/${file}`));
    const tables = migrations.flatMap((text) =>
      [...text.matchAll(/CREATE (?:UNLOGGED )?TABLE (\w+)/g)].map(([, name]) => name!),
    );

    expect(tables.length).toBeGreaterThan(30);
    expect(tables.filter((name) => !architecture.includes(`\`${name}\``))).toEqual([]);
  });

  test('the configuration page has every variable by which the cloud is named', () => {
    const page = read('docs/configuration.md');
    const source = read('libs/openstack/config/openstack-config-from-env.ts');
    const keys = new Set([...source.matchAll(/'((?:OS|VIGIL)_[A-Z_]+[A-Z])'/g)].map(([, key]) => key!));

    expect(keys.size).toBeGreaterThan(15);
    expect([...keys].filter((key) => !key.endsWith('_FILE') && !page.includes(`\`${key}`))).toEqual([]);
  });

  test('every page of docs/ is in its table of contents, and in that of the README', () => {
    const pages = readdirSync('docs').filter((name) => name.endsWith('.md') && name !== 'README.md');

    for (const contents of ['docs/README.md', 'README.md'])
      expect(pages.filter((name) => !read(contents).includes(`${name})`))).toEqual([]);
    const onSite = (JSON.parse(read('docs/site/pages.json')) as { pages: string[] }[]).flatMap((group) => group.pages);
    expect(pages.filter((name) => !onSite.includes(`docs/${name}`))).toEqual([]);
    expect(onSite.filter((path) => !existsSync(path))).toEqual([]);
  });
});
