import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { trimClassMap, trimStyles } from './trim-styles.ts';
import { readUsedClasses } from './used-classes.ts';

/**
 * Largest scripts and styles of the first load of a page, in bytes of brotli. The document, the headers, the responses
 * of the API and the first state of the stream take up to 28 kB more (`npm run bench -- dashboard`).
 */
const firstLoads: Record<string, { budgetBytes: number; modules: readonly string[] }> = {
  overview: { budgetBytes: 220_000, modules: ['pages/overview/overview-page.tsx'] },
  audits: { budgetBytes: 219_000, modules: ['pages/audits/audits-page.tsx'] },
  plans: { budgetBytes: 222_600, modules: ['pages/plans/plans-page.tsx'] },
};
const compressible = /\.(js|css|svg)$/;
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const here = fileURLToPath(new URL('.', import.meta.url));
const packages = fileURLToPath(new URL('../../node_modules', import.meta.url));
const isUsed = readUsedClasses(here, packages);

/** Parts of a plan in a list: pages share them, and each separate file costs half a kilobyte of headers. */
const planRows =
  /components\/(effect|facts|plan-progress|plan-state|side-effects|plan-headline|headline-parts|chart-axes|plan-counts|duration-phrase|host-map\/scale-of)\.tsx?$/;

export default defineConfig({
  root: here,
  // Relative, so that the page's <base> decides, below any path of a proxy.
  base: './',
  plugins: [react(), replaceImports(), trimClassMaps(), compressAndWeigh(), listBundledPackages()],
  resolve: { conditions: ['vigil-source', 'module', 'browser', 'default'] },
  css: {
    postcss: { plugins: [trimStyles(here, packages, isUsed)] },
  },
  define: { __VIGIL_VERSION__: JSON.stringify(version) },
  build: {
    outDir: fileURLToPath(new URL('../../dist/dashboard', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // Styles and fonts as data: URLs would need exceptions in the content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    // Few files: each costs half a kilobyte of headers, and shares no words with the others when it is compressed.
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'common', minShareCount: 12, priority: 1 },
            { name: 'plan-rows', test: planRows },
          ],
        },
      },
    },
  },
});

/** Imports of PatternFly's components that the dashboard replaces, by importer: the import and the file for it. */
const replacedImports: Record<string, [source: string, file: string]> = {
  'Page/Page.js': ['../Drawer', 'lazy-parts.tsx'],
  'SearchInput/SearchInput.js': ['./AdvancedSearchMenu', 'lazy-parts.tsx'],
  'react-popper/usePopper.js': ['../popper-core/popper', 'lazy-popper.ts'],
  'Table/HeaderCellInfoWrapper.js': ['@patternfly/react-core/dist/esm/components/Popover', 'lazy-parts.tsx'],
  'Table/Td.js': ['./base/merge-props', 'merge-props.ts'],
  'Table/Th.js': ['./base/merge-props', 'merge-props.ts'],
};

/** Fails the build when an import no longer exists: its code would be in the first load again. */
function replaceImports(): Plugin {
  const found = new Set<string>();
  return {
    name: 'vigil-replace-imports',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer = '') {
      if (!importer.includes('/@patternfly/')) return null;
      const entries = Object.entries(replacedImports);
      const [name = '', [wanted, file] = ['', '']] = entries.find(([known]) => importer.endsWith(`/${known}`)) ?? [];
      if (wanted !== source) return null;
      found.add(name);
      return join(here, 'components', file);
    },
    buildEnd() {
      const missing = Object.keys(replacedImports).filter((name) => !found.has(name));
      if (missing.length > 0) this.error(`PatternFly has no longer the replaced imports of ${missing.join(', ')}`);
    },
  };
}

/** Removes unused entries from PatternFly's maps of classes. */
function trimClassMaps(): Plugin {
  return {
    name: 'vigil-trim-class-maps',
    apply: 'build',
    enforce: 'pre',
    transform: (source, id) =>
      /@patternfly\/react-styles\/css\/.*\.m?js$/.test(id) ? { code: trimClassMap(source, isUsed), map: null } : null,
  };
}

/** Replaces each file by two compressed ones, and fails the build if the first load exceeds its budget. */
function compressAndWeigh(): Plugin {
  return {
    name: 'vigil-compress-and-weigh',
    apply: 'build',
    enforce: 'post',
    // Not earlier: Vite still changes the chunks while they are generated.
    writeBundle({ dir = '.' }, bundle) {
      for (const [name, file] of Object.entries(bundle)) {
        if (!compressible.test(name)) continue;
        const source = sourceOf(file);
        writeFileSync(join(dir, `${name}.gz`), gzipSync(source, { level: 9 }));
        const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
        writeFileSync(join(dir, `${name}.br`), brotliCompressSync(source, { params }));
        rmSync(join(dir, name));
      }
      for (const [page, { budgetBytes, modules }] of Object.entries(firstLoads)) {
        const total = firstLoadBytes(bundle, modules, (name) => statSync(join(dir, `${name}.br`)).size);
        if (total > budgetBytes)
          this.error(`the first load of ${page} is ${total} compressed bytes; the budget is ${budgetBytes}`);
        this.info(`first load of ${page}: ${total} bytes of compressed scripts and styles`);
      }
    },
  };
}

/** Reports the packages in the bundle to the bill of materials, by their place in package-lock.json. */
function listBundledPackages(): Plugin {
  return {
    name: 'vigil-list-bundled-packages',
    apply: 'build',
    writeBundle({ dir = '.' }) {
      const places = [...this.getModuleIds()].flatMap((id) => {
        const place = /^.*?\/(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
        return place === undefined ? [] : [place];
      });
      writeFileSync(join(dir, 'bundled-packages.json'), JSON.stringify([...new Set(places)].sort()));
    },
  };
}

type Bundle = Parameters<Extract<NonNullable<Plugin['writeBundle']>, (...args: never[]) => unknown>>[1];

function sourceOf(file: Bundle[string]): string | Uint8Array {
  return file.type === 'chunk' ? file.code : file.source;
}

/** Size of all scripts and styles that are loaded before the modules of a page show. */
function firstLoadBytes(bundle: Bundle, modules: readonly string[], sizeOf: (name: string) => number): number {
  const loaded = new Set<string>();
  const load = (name: string): void => {
    const file = bundle[name];
    if (loaded.has(name) || file?.type !== 'chunk') return;
    loaded.add(name);
    for (const style of file.viteMetadata?.importedCss ?? []) loaded.add(style);
    file.imports.forEach(load);
  };
  for (const file of Object.values(bundle)) {
    if (file.type !== 'chunk') continue;
    const { facadeModuleId: module } = file;
    if (file.isEntry || modules.some((name) => module === join(here, name))) load(file.fileName);
  }
  return [...loaded].reduce((sum, name) => sum + sizeOf(name), 0);
}
