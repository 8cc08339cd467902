import { expect, test } from 'vitest';
import { actionCatalogue } from '#libs/actions';
import { goalCatalogue } from '#libs/goals';
import { plannerCatalogue } from '#libs/planners';
import { createPluginRegistry } from '#libs/plugin-kit';
import { scoringCatalogue } from '#libs/scoring';
import { strategyCatalogue } from '#libs/strategies';
import { builtInPlugins } from './built-in-plugins.ts';

const fromOutside = { label: 'vigil', moduleUrl: 'file:///somewhere/index.js', exportName: 'plugins' };

test('built-in plugins meet the requirements for other plugins', () => {
  const checked = createPluginRegistry();
  for (const plugins of [goalCatalogue, plannerCatalogue, actionCatalogue, scoringCatalogue, strategyCatalogue])
    checked.add(plugins, fromOutside);

  checked.verify();
  expect(checked.loaded()).toEqual(builtInPlugins().loaded());
});
