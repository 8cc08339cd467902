import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { controlsOf, planControls, startControls } from '#libs/domain';
import { errorWords } from '../../services/dashboard/components/error-words.ts';
import { enPages } from '../../services/dashboard/texts/en/pages.ts';
import { addTexts } from '../../services/dashboard/texts/texts.ts';

/** Option that the dashboard sets by a confirmation, so that no error names it. */
const confirmed = 'force_stale';
const names = controlsOf(startControls).map(({ name }) => name);

test('every control has its texts', () => {
  const texts = controlsOf(planControls).flatMap(({ option = '', shown = '' }) => [option, shown]);
  expect(texts.filter((text) => text.includes('TODO'))).toEqual([]);
});

const sourceOf = (file: string) => readFileSync(file, 'utf8');

test.each(names)('the command line, the documentation and the dashboard know the option %s of a start', (name) => {
  const commands = sourceOf('services/cli/commands/action-plan-commands.ts');
  expect(commands.includes(`'--${name.replaceAll('_', '-')}`), 'flag of vigil actionplan start').toBe(true);
  expect(commands.includes(`${name}: options.`), 'body of vigil actionplan start').toBe(true);
  expect(sourceOf('docs/api.md').includes(`\`${name}\``), 'docs/api.md').toBe(true);
  addTexts(enPages);
  const isNamed = !errorWords(`Invalid input for ${name}`).includes(name.replaceAll('_', ' '));
  expect(isNamed || name === confirmed, 'label in error-words.ts').toBe(true);
});
