// @needs build
import { describe, expect, it } from 'vitest';
import { OperatorError } from '#libs/domain';
import { compiledUrl } from './compiled-url.ts';

const root = new URL('../../../', import.meta.url).href;

describe('compiledUrl', () => {
  it('finds the compiled twin of a source, also from compiled code', () => {
    const twin = `${root}dist/libs/plugin-kit/index.js`;

    expect(compiledUrl(`${root}libs/plugin-kit/index.ts`)).toBe(twin);
    expect(compiledUrl(`${root}dist/libs/plugin-kit/index.ts`)).toBe(twin);
  });

  it('keeps everything else unchanged', () => {
    for (const url of ['#libs/strategies', 'file:///somewhere/index.js', `${root}examples/strategy-plugin/index.js`]) {
      expect(compiledUrl(url)).toBe(url);
    }
  });

  it('names the remedy when there is no build', () => {
    expect(() => compiledUrl(`${root}libs/nothing/here.ts`)).toThrow(OperatorError);
    expect(() => compiledUrl(`${root}libs/nothing/here.ts`)).toThrow(/^dist\/libs\/nothing\/here\.js .*npm run build/);
  });
});
