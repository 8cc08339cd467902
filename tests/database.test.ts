import { expect, it } from 'vitest';
import { templateName } from './database.ts';

/** A migration whose text is in another file, such as constants of a module. */
function migrationOf(sql: string, name = 'Example1') {
  return class {
    readonly name = name;
    async up(runner: { query(sql: string): Promise<unknown> }): Promise<void> {
      await runner.query(sql);
    }
  };
}

it('names a template after the migrations that were loaded: another statement, name or order is another template', async () => {
  const first = migrationOf('SELECT 1');
  const second = migrationOf('SELECT 2', 'Example2');
  const name = await templateName([first, second]);
  expect(name).toMatch(/^vigil_template_[0-9a-f]{16}$/);
  expect(await templateName([migrationOf('SELECT 1'), second])).toBe(name);
  const others = [
    [first],
    [second, first],
    [migrationOf('SELECT 3'), second],
    [migrationOf('SELECT 1', 'Example3'), second],
  ];
  const names = await Promise.all([...others, undefined].map((loaded) => templateName(loaded)));
  expect(new Set([name, ...names]).size).toBe(others.length + 2);
});
