import { beforeAll, expect, test } from 'vitest';
import { type Rules, seriousProblems } from './accessibility.ts';
import { type ExamplePaths, everyPage, fillDashboard } from './example-cloud.ts';
import { pageFaults } from './page-faults.ts';
import { like, text } from './texts.ts';
import { desk, phone, useDashboard } from './use-dashboard.ts';
import { visit } from './visit.ts';
import { waitForPage } from './wait-for-page.ts';

const here = useDashboard({ services: ['decision-engine', 'scheduler'] });
let paths: ExamplePaths;
beforeAll(async () => {
  paths = await fillDashboard(here);
});

interface Look {
  name: string;
  size: typeof desk;
  dark: boolean;
  /** Rules of axe. */
  rules: Rules;
  /** Wrong clocks of the computer: every age counts from the time of the server. */
  skewMinutes: number;
}

// The themes differ in colours alone, and the widths in structure alone: contrast is checked once in each theme.
test.each<Look>([
  { name: 'in the light theme', size: desk, dark: false, rules: 'all', skewMinutes: 10 },
  { name: 'in the dark theme', size: desk, dark: true, rules: 'colours', skewMinutes: 0 },
  { name: 'on a phone', size: phone, dark: false, rules: 'structure', skewMinutes: -10 },
])(
  'every page is accessible and free of impossible texts $name',
  async ({ size, dark, rules, skewMinutes }) => {
    const page = await here.open('overview', { ...size, dark, skewMinutes });
    const found: string[] = [];
    for (const path of everyPage(paths)) {
      await visit(page, path);
      await waitForPage(page);
      const problems = [...(await seriousProblems(page, rules)), ...(await pageFaults(page))];
      found.push(...problems.map((problem) => `${path}: ${problem}`));
    }
    expect(found).toEqual([]);
  },
  360_000,
);

test('the pages before a sign-in are accessible', async () => {
  const { page } = await here.openSignedOut('');
  await page.getByRole('heading', { name: text('session.title') }).waitFor();
  expect([...(await seriousProblems(page)), ...(await pageFaults(page))]).toEqual([]);
});

test('the overview lists problems, the failed plan first', async () => {
  const uuid = paths.failed.slice('plans/'.length);
  const { audit_uuid: ofAudit } = await here.stack.client.get('action_plans', uuid);
  const { name } = await here.stack.client.get('audits', ofAudit ?? '');
  const plan = text('problem.planOf', { plan: uuid.slice(0, 8), audit: name });
  const page = await here.open('overview');
  await page.getByRole('heading', { name: like('overview.attention') }).waitFor();
  await page
    .getByRole('link', { name: text('problem.planFailed', { plan, reason: '' }) })
    .first()
    .click();
  await page.waitForURL(`**/${paths.failed}`);
});

test('the tabs of a plan start within the first third of the window', async () => {
  const page = await here.open(paths.plan, { width: 1440, height: 900 });
  await page.getByTestId('without-plan').waitFor();
  const { y: top = Number.NaN } = (await page.getByRole('tablist').boundingBox()) ?? {};
  expect(top).toBeLessThanOrEqual(300);
});

test('the first pages need no text of the pages that load later', async () => {
  const page = await here.open('overview', {
    prepare: (own) => own.route(/assets\/pages-[^/]*\.js$/, (route) => route.abort()),
  });
  const broken = page.getByRole('heading', { name: text('shell.pageFailed') });
  for (const path of ['overview', 'audits', 'plans']) {
    await visit(page, path);
    await waitForPage(page);
    expect(await broken.count(), path).toBe(0);
  }
  await visit(page, 'templates');
  await broken.waitFor();
});
