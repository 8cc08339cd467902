import { beforeAll, expect, test } from 'vitest';
import { useDashboardStack } from './dashboard-stack.ts';
import { describeReader } from './describe-reader.ts';
import { describeSizes } from './describe-sizes.ts';
import { failTask } from './given-up-work.ts';
import { makeTemplateAndRule, runPlan } from './list-examples.ts';
import { signIn } from './sign-in.ts';
import { visit } from './visit.ts';

/** Apart from the other tests of the dashboard, which take as long: they run side by side. */
const here = useDashboardStack();

beforeAll(async () => {
  const { page } = here.window;
  await runPlan(here.stack);
  await makeTemplateAndRule(here.stack);
  await signIn(page, here.api.url ?? '');
  await failTask(page);
  await visit(page, 'dead-letters');
  await page.getByRole('grid', { name: 'Tasks' }).getByText('There is no goal').waitFor();
});

describeSizes(here);
describeReader(here);

test('nothing went wrong in the page', () => {
  expect(here.window.problems).toEqual([]);
});
