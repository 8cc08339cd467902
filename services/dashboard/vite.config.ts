import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Largest first load, in bytes of compressed script. */
const firstLoadBudgetBytes = 300_000;
const compressible = /\.(js|css|svg)$/;
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative, so that the page's <base> decides, below any path of a proxy.
  base: './',
  plugins: [react(), leaveOutItalics(), compressAndWeigh(), listBundledPackages()],
  resolve: { conditions: ['vigil-source', 'module', 'browser', 'default'] },
  define: { __VIGIL_VERSION__: JSON.stringify(version) },
  build: {
    outDir: fileURLToPath(new URL('../../dist/dashboard', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // Styles and fonts as data: URLs would need exceptions in the content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
  },
});

/** Omits the italic fonts, 120 kB of the package: no page uses them, and browsers slant the upright ones. */
function leaveOutItalics(): Plugin {
  return {
    name: 'vigil-leave-out-italics',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/@patternfly\/.*\.css$/.test(id)) return null;
      return { code: code.replaceAll(/@font-face\s*\{[^}]*font-style:\s*italic[^}]*\}/g, ''), map: null };
    },
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
      const total = firstLoadBytes(bundle);
      if (total > firstLoadBudgetBytes)
        this.error(`the first load is ${total} bytes of compressed script; the budget is ${firstLoadBudgetBytes}`);
      this.info(`first load: ${Math.round(total / 1000)} kB of compressed script`);
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

/** Everything that is loaded before the overview shows. */
function firstLoadBytes(bundle: Bundle): number {
  const loaded = new Set<string>();
  const load = (name: string): void => {
    const file = bundle[name];
    if (loaded.has(name) || file?.type !== 'chunk') return;
    loaded.add(name);
    file.imports.forEach(load);
  };
  for (const file of Object.values(bundle)) {
    if (file.type !== 'chunk') continue;
    if (file.isEntry || file.facadeModuleId?.endsWith('pages/overview/overview-page.tsx')) load(file.fileName);
  }
  return [...loaded].reduce((sum, name) => sum + gzipSync(sourceOf(bundle[name] as Bundle[string])).length, 0);
}
