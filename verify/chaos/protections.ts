import { isAccepted, type Mutation } from '../stack/cloud-log.ts';
import { type Scenario, scenarioLeaseSeconds } from './scenario.ts';

const leaseMs = scenarioLeaseSeconds * 1000;
const migration = { service: 'compute', method: 'POST', path: '/servers/[^/]+/action' };
const isMigration = ({ what }: Mutation) => what === 'os-migrateLive';
const runner = 'services/applier/plan-runner';

/** A request of the plan is lost, another user moves the server, and the plan is aborted. */
function abortBesideAnother(where: 'named' | 'elsewhere'): Scenario['play'] {
  return async ({ stack, moveAsAnotherUser, requested, plan, settled }) => {
    await stack.control('/faults', { kind: 'hang', milliseconds: leaseMs / 2, count: 1, match: migration });
    await requested(isMigration);
    const { uuid } = await plan();
    await moveAsAnotherUser(where);
    await stack.store.db.actionPlans.transition(uuid, 'requestCancel', { set: { abortRunning: true } });
    await settled(2 * leaseMs);
  };
}

/** Protections of the applier, each with the shortest run that exposes its absence. */
export const protections: readonly Scenario[] = [
  {
    protection: 'a successor reads the state of the cloud before its first request',
    patches: [
      {
        file: `${runner}/action/resume-action.js`,
        find: 'const probed = late ?? (await probeAction(run, action, journal));\n    run.deps.logger.info(',
        replace: "const probed = 'not_started';\n    run.deps.logger.info(",
      },
    ],
    shows: 'untrue',
    async play({ requested, owner, plan, takenOver, settled }) {
      await requested((mutation) => isMigration(mutation) && isAccepted(mutation));
      const { fence } = await plan();
      (await owner()).kill();
      await takenOver(fence);
      // Gives the successor time to send the request again.
      await settled(3 * leaseMs);
    },
  },
  {
    protection: 'a lease is renewed while its plan runs',
    patches: [{ file: 'libs/service-kit/lease-keeper.js', find: 'run: keep,', replace: 'run: async () => undefined,' }],
    shows: 'untrue',
    env: { VIGIL_APPLIER_MAX_TAKEOVERS: '1' },
    async play({ requested, settled }) {
      await requested((mutation) => isMigration(mutation) && isAccepted(mutation));
      await settled(6 * leaseMs);
    },
  },
  {
    protection: 'the applier waits for the effect of a request without a response',
    patches: [
      {
        file: 'libs/actions/change/send-once.js',
        find: 'return options.lateEffectMs ?? defaultLateEffectMs;',
        replace: 'return 0;',
      },
    ],
    shows: 'untrue',
    async play({ stack, requested, resume, settled }) {
      await stack.control('/faults', { kind: 'late', milliseconds: 2 * leaseMs, match: migration });
      await resume();
      await requested(isMigration);
      await settled(5 * leaseMs);
    },
  },
  {
    protection: 'an abort by a successor waits for earlier requests',
    patches: [
      {
        file: 'libs/actions/change/journal-slot.js',
        find: 'const sends = sendsOf(entries, slot);',
        replace: 'return false;\n    const sends = sendsOf(entries, slot);',
      },
    ],
    shows: 'untrue',
    async play({ stack, requested, owner, plan, takenOver, resume }) {
      await stack.control('/faults', { kind: 'latency', milliseconds: 3 * leaseMs, count: 1, match: migration });
      await resume();
      await requested(isMigration);
      const { uuid, fence } = await plan();
      (await owner()).kill();
      await stack.store.db.actionPlans.transition(uuid, 'requestCancel', { set: { abortRunning: true } });
      await takenOver(fence);
    },
  },
  {
    protection: 'the applier aborts only its own migrations',
    patches: [
      {
        file: 'libs/actions/migrate/abort.js',
        find: 'running.find((one) => isTraced(one, trace))',
        replace: 'running[0]',
      },
    ],
    shows: 'foreign_aborts',
    play: abortBesideAnother('elsewhere'),
  },
  {
    protection: "the applier recognizes another user's migration to the host that it requested",
    patches: [
      {
        file: 'libs/actions/change/move-record.js',
        find: 'return agree(requester.user_id, userId) &&',
        replace: 'return true ||',
      },
    ],
    shows: 'foreign_aborts',
    play: abortBesideAnother('named'),
  },
  {
    protection: 'appliers find plans whose applier died',
    patches: [
      {
        file: 'services/applier/recovery/recovery-poller.js',
        find: "while (!signal.aborted && runner.isFreeFor('taken_over') && (await takeSome()))",
        replace: 'while (false)',
      },
    ],
    shows: 'stuck',
    stuckAfterMs: 5 * leaseMs,
    async play({ requested, owner, resume }) {
      await requested((mutation) => isMigration(mutation) && isAccepted(mutation));
      (await owner()).kill();
      await resume();
    },
  },
];
