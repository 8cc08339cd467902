import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FluxFile } from './flux-ast.ts';

/** The real front end of Flux: its parser and its type checker against the standard library. */
export interface FluxFrontEnd {
  parse(text: string): FluxFile;
  /** True when the text has no syntax error, unknown function, or invalid, missing or ill-typed argument. */
  isValid(text: string): boolean;
}

/** The used part of the WebAssembly API, which TypeScript declares only for browsers. */
interface WebAssemblyApi {
  Module: { new (bytes: Uint8Array): object; imports(module: object): { module: string; name: string }[] };
  Instance: new (module: object, imports: object) => { exports: unknown };
}

type Glue = Record<string, (...args: unknown[]) => unknown> & {
  Flux: new (text: string) => { is_valid(): boolean; free(): void };
};

/**
 * Loads the WebAssembly that InfluxData publishes for editors. Its JavaScript needs a bundler, so this function
 * resolves its imports. Takes about 50 ms.
 */
export async function loadFluxFrontEnd(): Promise<FluxFrontEnd> {
  const folder = dirname(createRequire(import.meta.url).resolve('@influxdata/flux-lsp-browser/package.json'));
  const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: WebAssemblyApi };
  const module = new wasm.Module(await readFile(join(folder, 'flux-lsp-browser_bg.wasm')));
  let glue: Glue | undefined;
  const imports: Record<string, Record<string, (...args: unknown[]) => unknown>> = {};
  for (const { module: from, name } of wasm.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = (...args) => glue?.[name]?.(...args);
  }
  const instance = new wasm.Instance(module, imports);
  glue = await importGlue(await readFile(join(folder, 'flux-lsp-browser_bg.js'), 'utf8'), instance);
  const { parse, Flux } = glue;
  return {
    parse: (text) => parse?.(text) as FluxFile,
    isValid(text) {
      const checked = new Flux(text);
      try {
        return checked.is_valid();
      } finally {
        checked.free();
      }
    },
  };
}

/** Evaluates the glue code as a module. The instance replaces its import of the WebAssembly. */
async function importGlue(source: string, instance: { exports: unknown }): Promise<Glue> {
  const slot = Symbol.for(`vigil.flux.${process.pid}`);
  const holder = globalThis as unknown as Record<symbol, unknown>;
  holder[slot] = instance.exports;
  const line = `const wasm = globalThis[Symbol.for(${JSON.stringify(Symbol.keyFor(slot))})];`;
  const text = source.replace(/^import \* as wasm.*$/m, line);
  return await import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
}
