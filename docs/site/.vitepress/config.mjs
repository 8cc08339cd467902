import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { githubAnchor } from '../github-anchor.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../../..');
const read = (path) => readFileSync(resolve(root, path), 'utf8');
const { version, homepage } = JSON.parse(read('package.json'));

/** Pages by purpose. `tests/tree/documents.test.ts` fails when one is missing. */
const groups = JSON.parse(readFileSync(resolve(here, '../pages.json'), 'utf8'));
/**
 * Where the sites of other versions are: `[{ "version": "0.1.0", "url": "/0.1.0/" }]`, written by the publisher.
 */
const versions = JSON.parse(process.env.VIGIL_DOCS_VERSIONS ?? '[]');

const titleOf = (path) => /^# (.*)$/m.exec(read(path))?.[1] ?? path;
const linkOf = (path) => `/${path.replace(/(^|\/)README\.md$/, '$1').replace(/\.md$/, '')}`;

/** The pages lie outside of the folder with the packages, so nothing is found from where they are. */
const vueOfThisFolder = {
  name: 'vue-of-this-folder',
  enforce: 'pre',
  resolveId(id, _importer, { ssr }) {
    if (id !== 'vue' && id !== 'vue/server-renderer') return null;
    if (ssr) return { id, external: true };
    return resolve(here, '../node_modules/vue/dist/vue.runtime.esm-bundler.js');
  },
};

export default defineConfig({
  title: 'Vigil',
  description: 'Optimizes running OpenStack clouds',
  base: process.env.VIGIL_DOCS_BASE ?? '/',
  srcDir: relative(resolve(here, '..'), root),
  srcExclude: ['**/node_modules/**', '**/dist/**', 'docs/site/**', 'services/cli/plugin-template/**', '.vigil/**'],
  outDir: resolve(here, '../dist'),
  cacheDir: resolve(here, '../node_modules/.cache'),
  cleanUrls: true,
  lastUpdated: false,
  // Pages are the READMEs and docs/ as they stand, so that every link between them works here as well.
  rewrites: (path) => path.replace(/(^|\/)README\.md$/, '$1index.md'),
  // `check-site.mjs` checks the links of the result, with their anchors.
  ignoreDeadLinks: true,
  vite: { plugins: [vueOfThisFolder] },
  markdown: {
    // `<uuid>` in a text is a placeholder and no element.
    html: false,
    anchor: { slugify: githubAnchor },
    config(md) {
      const { fence } = md.renderer.rules;
      md.renderer.rules.fence = (tokens, index, ...rest) => {
        const { info, content } = tokens[index];
        if (info.trim() !== 'mermaid') return fence(tokens, index, ...rest);
        return `<Diagram source="${encodeURIComponent(content)}" />`;
      };
      const render = md.render.bind(md);
      // The site has the pages that the npm package lacks. Rewritten pages are not found under their former name.
      const linked = (text) =>
        text.replaceAll(`](${homepage}/blob/main/`, '](/').replace(/(\]\([^)\s:]*?)README\.md/g, '$1index.md');
      md.render = (text, env) => render(linked(text.replace(/<!--.*?-->/gs, '')), env);
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Install', link: linkOf('docs/install.md') },
      { text: 'Changes', link: linkOf('CHANGELOG.md') },
      {
        text: `v${version}`,
        items: [
          { text: `v${version}`, link: '/' },
          ...versions.map(({ version: text, url }) => ({ text, link: url, target: '_self' })),
        ],
      },
    ],
    sidebar: groups.map(({ text, pages }) => ({
      text,
      items: pages.map((path) => ({ text: titleOf(path), link: linkOf(path) })),
    })),
  },
});
