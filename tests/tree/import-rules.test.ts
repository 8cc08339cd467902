import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';

interface CruiseSummary {
  violations: { from: string; to: string; rule: { name: string } }[];
}

const { forbidden: rules } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as {
  forbidden: { name: string; comment?: string }[];
};

const root = process.cwd();

function cruise(folder: string, targets: string[]): CruiseSummary {
  const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const config = join(folder, '.dependency-cruiser.cjs');
  try {
    const output = execFileSync(process.execPath, [program, '--config', config, '--output-type', 'json', ...targets], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 200_000_000,
      timeout: 170_000,
    });
    return JSON.parse(output).summary;
  } catch (error) {
    // The exit code is the number of violations. The report is complete nevertheless.
    const { stdout } = error as { stdout: string };
    return JSON.parse(stdout).summary;
  }
}

// A step of `npm run check` checks the whole tree.
describe('import rules', () => {
  test.each(rules)('$name has a reason and an instead', ({ comment }) => {
    expect(comment).toMatch(/\. Instead: \w+/);
  });

  describe('refuse', () => {
    const planted: [what: string, path: string, text: string, rule: string][] = [
      ['a lib above the own one', 'libs/domain/planted.ts', "import '#libs/store';", 'libs-domain-imports'],
      [
        'the inside of another lib',
        'services/api/planted-inside.ts',
        "import '../../libs/store/inner.ts';",
        'libs-only-by-index',
      ],
      ['a service in a lib', 'libs/store/planted.ts', "import '../../services/api/main.ts';", 'libs-store-imports'],
      [
        'a service in another service',
        'services/applier/planted.ts',
        "import '../api/main.ts';",
        'services-applier-imports',
      ],
      ['server code in the CLI', 'services/cli/planted.ts', "import '#libs/store';", 'services-cli-imports'],
      ['a package away from its home', 'services/api/planted-package.ts', "import 'typeorm';", 'home-of-typeorm'],
      [
        'the internal surface in the public one',
        'services/api/routes/planted.ts',
        "import '../internal/area.ts';",
        'internal-apart-from-public',
      ],
      ['files in a strategy', 'libs/strategies/planted.ts', "import 'node:fs';", 'no-node-in-planning'],
      ['test helpers outside of tests', 'services/api/planted-helper.ts', "import '#tests';", 'testing-only-in-tests'],
    ];
    let violations: CruiseSummary['violations'] = [];
    beforeAll(() => {
      const folder = mkdtempSync(join(tmpdir(), 'vigil-rules-'));
      const write = (path: string, text: string) => {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      };
      for (const file of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json'])
        cpSync(join(root, file), join(folder, file));
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
      write('libs/domain/index.ts', 'export const domain = 1;');
      write('libs/store/index.ts', 'export const store = 1;');
      write('libs/store/inner.ts', 'export const inner = 1;');
      write('tests/index.ts', 'export const testing = 1;');
      write('services/api/main.ts', 'export const api = 1;');
      write('services/api/internal/area.ts', 'export const area = 1;');
      for (const [, path, text] of planted) write(path, `${text}\nexport const planted = 1;\n`);
      ({ violations } = cruise(folder, ['libs', 'services']));
      rmSync(folder, { recursive: true });
    });

    test.each(planted)('%s', (_what, path, _text, rule) => {
      expect(violations.filter(({ from }) => from === path).map((violation) => violation.rule.name)).toContain(rule);
    });
  });
});
