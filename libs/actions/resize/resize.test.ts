import { describe, expect, it } from 'vitest';
import { createFakeCloud, createTestActionContext, refusal } from '#tests';
import { resize } from './resize.ts';

const id = '11111111-2222-4333-8444-555555555555';

function setUp(server: { status?: string; locked?: boolean } = {}, flavor = 'large') {
  const cloud = createFakeCloud({
    hosts: [{ name: 'a' }, { name: 'b' }],
    servers: [{ uuid: id, host: 'a', ...server }],
  });
  return { cloud, context: createTestActionContext(cloud, { resource_id: id, flavor }) };
}

const calls = (cloud: ReturnType<typeof createFakeCloud>) => cloud.mutations.map((one) => one.call);

describe('before', () => {
  it('passes for a flavor by id or name', async () => {
    expect(await resize.preCondition(setUp().context)).toEqual({ go: true });
    expect(await resize.preCondition(setUp({}, '2').context)).toEqual({ go: true });
  });

  it('skips a removed instance, and one that has the flavor', async () => {
    const same = setUp({}, 'small');
    expect(await resize.preCondition(same.context)).toEqual({
      go: false,
      skip: `Instance ${id} already has flavor small`,
    });
    same.cloud.servers.clear();
    expect(await resize.preCondition(same.context)).toEqual({ go: false, skip: `Instance ${id} not found` });
  });

  it.each([
    ['no such flavor', {}, 'huge', 'Flavor huge not found', 'action_failed'],
    ['a locked server', { locked: true }, 'large', `Instance ${id} is locked`, 'safety_rail'],
    ['a broken server', { status: 'ERROR' }, 'large', `Instance ${id} is in ERROR status`, 'safety_rail'],
  ])('fails for %s', async (_what, server, flavor, message, code) => {
    await expect(resize.preCondition(setUp(server, flavor).context)).rejects.toMatchObject({ message, code });
  });
});

describe('execute', () => {
  it.each(['ACTIVE', 'SHUTOFF'])('resizes, confirms and returns to %s', async (status) => {
    const { cloud, context } = setUp({ status });
    expect(await resize.execute(context)).toBe(true);
    expect(cloud.servers.get(id)).toMatchObject({ flavor: 'large', status });
    expect(calls(cloud)).toEqual(['resizeServer', 'confirmResize']);
    expect(context.trail.slice(0, 3)).toEqual(['intent', 'guard', 'result']);
  });

  it("fails with Nova's fault", async () => {
    const { cloud, context } = setUp();
    cloud.script(id, { status: 'error', fault: 'No valid host was found' });
    await expect(resize.execute(context)).rejects.toThrow(/ended in status error: No valid host was found/);
  });

  it('fails for a removed instance', async () => {
    const { cloud, context } = setUp();
    cloud.servers.clear();
    await expect(resize.execute(context)).rejects.toThrow(`The instance '${id}' could not be found`);
  });

  it('sends one request when the response is lost', async () => {
    const { cloud, context } = setUp();
    cloud.fail({ call: 'resizeServer', when: 'after', error: refusal(0, 'reset', true) });
    expect(await resize.execute(context)).toBe(true);
    expect(calls(cloud)).toEqual(['resizeServer', 'confirmResize']);
  });
});

it('is continued by a successor without a second request', async () => {
  const { cloud, context } = setUp();
  expect(await resize.probe(context)).toBe('not_started');
  cloud.fail({ call: 'resizeServer', when: 'after', error: new Error('killed') });
  await expect(resize.execute(context)).rejects.toThrow('killed');
  expect(await resize.probe(context.again())).toBe('in_progress');
  expect(await resize.waitFor(context.again())).toBe(true);
  expect(await resize.probe(context.again())).toBe('applied');
  expect(calls(cloud)).toEqual(['resizeServer', 'confirmResize']);
});

describe('revert and abort', () => {
  it('goes back to the flavor before', async () => {
    const { cloud, context } = setUp();
    await resize.execute(context);
    expect(await resize.revert(context.again())).toBe(true);
    expect(cloud.servers.get(id)).toMatchObject({ flavor: 'small', status: 'ACTIVE' });
    expect(calls(cloud)).toEqual(['resizeServer', 'confirmResize', 'resizeServer', 'confirmResize']);
  });

  it('is aborted before its confirmation', async () => {
    const { cloud, context } = setUp();
    cloud.fail({ call: 'resizeServer', when: 'after', error: new Error('deadline') });
    await expect(resize.execute(context)).rejects.toThrow('deadline');
    expect(await resize.abort(context.again())).toBe(true);
    expect(cloud.servers.get(id)).toMatchObject({ flavor: 'small', status: 'ACTIVE', host: 'a' });
    expect(calls(cloud)).toEqual(['resizeServer', 'revertResize']);
  });

  it('is aborted once, also by a successor while Nova still reverts it', async () => {
    const { cloud, context } = setUp();
    cloud.fail({ call: 'resizeServer', when: 'after', error: new Error('deadline') });
    await expect(resize.execute(context)).rejects.toThrow('deadline');
    cloud.fail({ call: 'revertResize', when: 'after', error: new Error('killed') });
    await expect(resize.abort(context.again())).rejects.toThrow('killed');
    cloud.hold(id);
    for (const response of ['its answer is missing', 'it is known to be accepted']) {
      await expect(resize.abort(context.again()), response).rejects.toThrow(
        'Instance is REVERT_RESIZE after the resize',
      );
    }
    cloud.release(id);
    expect(await resize.abort(context.again())).toBe(true);
    expect(calls(cloud)).toEqual(['resizeServer', 'revertResize']);
  });

  it('is not aborted after it', async () => {
    const { context } = setUp();
    await resize.execute(context);
    expect(await resize.abort(context.again())).toBe(false);
  });
});
