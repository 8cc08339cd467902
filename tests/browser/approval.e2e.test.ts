import { expect, test } from 'vitest';
import { text } from './texts.ts';
import { useDashboard } from './use-dashboard.ts';

// No process executes plans: a state changes only when the page or the test changes it.
const here = useDashboard();
const reason = 'rule large: 60 migrations, allowed 50';

async function waitingPlan(requester: string): Promise<string> {
  const user = { userId: requester, userName: 'mia', projectId: null, projectName: null };
  const { plan } = await here.rows.plan({ audit: { requester: user } });
  await here.store.db.actionPlans.wantApproval(plan.uuid, reason);
  return plan.uuid;
}

test('a second person approves a plan with a comment, and the requester cannot', async () => {
  const uuid = await waitingPlan('mia');
  const list = await here.open('plans?state=UNAPPROVED');
  await list.getByTestId('waits-for-approval').first().waitFor();
  const page = await here.open(`plans/${uuid}`);
  const approval = page.getByTestId('plan-approval');
  await approval.getByText(reason).waitFor();
  expect(await page.getByRole('button', { name: text('plan.start'), exact: true }).count()).toBe(0);
  await approval.getByRole('button', { name: text('approval.approve'), exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: text('approval.commentField') }).fill('checked with storage');
  await dialog.getByRole('button', { name: text('approval.approve'), exact: true }).click();
  await page.getByText(text('approval.comment', { comment: 'checked with storage' })).waitFor();
  await page.getByRole('button', { name: text('plan.start'), exact: true }).waitFor();
  const plan = await here.store.db.actionPlans.get(uuid);
  expect(plan).toMatchObject({ approval: 'given', approvalBy: { userName: 'admin' } });

  const own = await here.open(`plans/${await waitingPlan(plan.approvalBy?.userId ?? '')}`);
  await own.getByRole('button', { name: text('approval.approve'), exact: true }).click();
  await own
    .getByRole('dialog')
    .getByRole('button', { name: text('approval.approve'), exact: true })
    .click();
  await own
    .getByText(/another user has to decide/)
    .first()
    .waitFor();
});

test('a refusal needs a comment and cancels the plan', async () => {
  const uuid = await waitingPlan('mia');
  const page = await here.open(`plans/${uuid}`);
  await page.getByRole('button', { name: text('approval.refuse'), exact: true }).click();
  const dialog = page.getByRole('dialog');
  const refuse = dialog.getByRole('button', { name: text('approval.refuse'), exact: true });
  expect(await refuse.isDisabled()).toBe(true);
  await dialog.getByRole('textbox', { name: text('approval.commentField') }).fill('not before the weekend');
  await refuse.click();
  await page.getByText('Refused by admin: not before the weekend').first().waitFor();
  expect(await here.store.db.actionPlans.get(uuid)).toMatchObject({ state: 'CANCELLED', approval: 'refused' });
});

test('the browser notifies of plans that wait for the user and of plans that fail, once it is turned on', async () => {
  const shown: string[] = [];
  const page = await here.open('overview', {
    async prepare(page) {
      await page.exposeFunction('recordNotification', (title: string) => shown.push(title));
      await page.addInitScript(`window.Notification = class {
        static permission = 'granted';
        static requestPermission = async () => 'granted';
        constructor(title) { window.recordNotification(title); }
      }`);
    },
  });
  const { plan } = await here.rows.plan({ plan: { state: 'ONGOING', launchSeq: 1 } });
  await page.getByRole('button', { name: text('alerts.turnOn') }).click();
  await page.getByRole('button', { name: text('alerts.turnOff') }).waitFor();
  const uuid = await waitingPlan('mia');
  await expect.poll(() => shown).toEqual([text('alerts.waits', { id: uuid.slice(0, 8) })]);
  await here.store.db.actionPlans.transition(plan.uuid, 'fail');
  await expect.poll(() => shown.at(1)).toBe(text('alerts.failed', { id: plan.uuid.slice(0, 8) }));
  await page.getByRole('button', { name: text('alerts.turnOff') }).click();
  await page.reload();
  await page.getByRole('button', { name: text('alerts.turnOn') }).waitFor();
});
