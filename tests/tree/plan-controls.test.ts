import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { controlsOf, planControls, startControls } from '#libs/domain';
import { errorWords } from '../../services/dashboard/components/error-words.ts';
import { enPages } from '../../services/dashboard/texts/en/pages.ts';
import { addTexts } from '../../services/dashboard/texts/texts.ts';

const controls = controlsOf(startControls);

test('every control has its texts', () => {
  const texts = controlsOf(planControls).flatMap(({ option = '', shown = '', flag = '' }) => [option, shown, flag]);
  expect(texts.filter((text) => text.includes('TODO'))).toEqual([]);
  const named = controlsOf(planControls).filter(({ option, flag }) => Boolean(option) !== Boolean(flag));
  expect(named.map(({ name }) => name)).toEqual([]);
});

/** Sources below folders by whether they are tests. */
const sourcesBelow = (folders: readonly string[], isTest: boolean) =>
  folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)))
    .filter((path) => /\.tsx?$/.test(path) && /\.test\./.test(path) === isTest)
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
const effects = ['services/applier', 'services/api/routes', 'services/decision-engine', 'libs/store/entities'];
const product = sourcesBelow(effects, false);
const tests = sourcesBelow(effects, true);
const forms = sourcesBelow(['services/dashboard/pages/plan'], false);
const documentation = readFileSync('docs/api.md', 'utf8');

test.each(controls)('the option $name of a start has an effect, a test, documentation and a label', ({ name, key }) => {
  expect(new RegExp(`\\b${key}\\b`).test(product), `a service reads ${key}`).toBe(true);
  expect(new RegExp(`\\b(?:${key}|${name})\\b`).test(tests), `a test sets ${key}`).toBe(true);
  expect(documentation.includes(`\`${name}\``), 'docs/api.md').toBe(true);
  addTexts(enPages);
  const isNamed = !errorWords(`Invalid input for ${name}`).includes(name.replaceAll('_', ' '));
  const isInForm = new RegExp(`\\b${name}: (?!true)`).test(forms);
  expect(isNamed || !isInForm, 'label in error-words.ts of a field that a form of the dashboard has').toBe(true);
});
