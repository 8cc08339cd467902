import type { ServiceEvent, UnitOfWork } from '#libs/store';
import { done, type RecoveryRule, type StepContext, type StepResult } from './recovery-rule.ts';

/** More starts than this within the window are a storm. */
const mostStarts = 5;
const stormWindowSeconds = 600;
/** Minor versions that a process may be behind the newest one. */
const mostMinorsBehind = 1;

async function isDegraded(unit: UnitOfWork, service: string, host: string): Promise<boolean> {
  const [edge] = await unit.registry.edges(registrationOf(service, host));
  return edge?.attributes.degraded === true;
}

function registrationOf(service: string, host: string) {
  return { srcKind: 'Host', srcId: host, rel: 'has', dstKind: 'ServiceName', dstId: `${service}@${host}` } as const;
}

async function judgeStarts({ unit, job }: StepContext): Promise<StepResult> {
  const { service, host } = placeOf(job.subject);
  const starts = await unit.registry.countStarts(service, host, stormWindowSeconds);
  if (starts <= mostStarts) return done('CALM', `${starts} starts in 10 minutes`);
  if (await isDegraded(unit, service, host)) return done('KNOWN', 'a restart storm that is known already');
  await unit.registry.link({ ...registrationOf(service, host), attributes: { degraded: true, starts } });
  await unit.registry.report({
    type: 'service.degraded',
    serviceType: String(job.subject.serviceType),
    serviceName: service,
    host,
    instanceId: null,
    doc: { reason: `${starts} starts in 10 minutes`, starts },
  });
  return { kind: 'next', phase: 'cool-down', data: { starts } };
}

/** The mark is removed when the storm is over. A restart requested by an operator removes it earlier. */
async function coolDown({ unit, job }: StepContext): Promise<StepResult> {
  const { service, host } = placeOf(job.subject);
  if (!(await isDegraded(unit, service, host))) return done('CLEARED', 'an operator requested a start');
  const starts = await unit.registry.countStarts(service, host, stormWindowSeconds);
  if (starts > mostStarts) return { kind: 'wait' };
  await unit.registry.link({ ...registrationOf(service, host), attributes: {} });
  return done('CLEARED', 'the storm is over');
}

/** Judges every live process against the newest version. Only one minor version may lie between them. */
async function judgeVersions({ unit }: StepContext): Promise<StepResult> {
  const instances = (await unit.registry.listInstances({ liveOnly: true })).filter(({ isAlive }) => isAlive);
  const newest = instances.map(({ version }) => versionOf(version)).reduce(newerOf, [0, 0]);
  const refused: string[] = [];
  for (const { instanceId, version, serviceName, host, acceptsWork } of instances) {
    const [major, minor] = versionOf(version);
    const fits = major === newest[0] && newest[1] - minor <= mostMinorsBehind;
    if (fits !== acceptsWork) await unit.registry.setAcceptsWork(instanceId, fits);
    if (!fits) refused.push(`${serviceName}@${host} ${version}`);
  }
  if (refused.length === 0) return done('FIT', `${instances.length} processes, newest ${newest.join('.')}`);
  return done('REFUSED', `get no work beside ${newest.join('.')}: ${refused.sort().join(', ')}`);
}

type Version = [major: number, minor: number];

function versionOf(text: string): Version {
  const [major, minor] = text.split('.').map(Number);
  return [major || 0, minor || 0];
}

function newerOf(one: Version, other: Version): Version {
  return other[0] > one[0] || (other[0] === one[0] && other[1] > one[1]) ? other : one;
}

/** Marks a host without any live process. The first process that returns removes the mark. */
async function judgeHost({ unit, job }: StepContext): Promise<StepResult> {
  const { host } = placeOf(job.subject);
  const live = (await unit.registry.listInstances({ liveOnly: true })).filter(
    (instance) => instance.isAlive && instance.host === host,
  );
  const node = { srcKind: 'Cluster', srcId: 'vigil', rel: 'has', dstKind: 'Host', dstId: host } as const;
  const [edge] = await unit.registry.edges(node);
  const isMarked = edge?.attributes.lost === true;
  if (live.length === 0 && !isMarked) await unit.registry.link({ ...node, attributes: { lost: true } });
  if (live.length > 0 && isMarked) await unit.registry.link({ ...node, attributes: {} });
  return live.length > 0 ? done('RUNNING', `${live.length} processes live on it`) : done('LOST', 'nothing lives on it');
}

/** A lease that is renewed in time proves life: a process that responds to no Check is left unchanged. */
async function leaveAlone({ unit, job }: StepContext): Promise<StepResult> {
  const instance = await unit.registry.findInstance(String(job.subject.instanceId));
  if (!instance?.isAlive) return done('GONE', 'it has ended, or its lease has expired');
  if (instance.failedChecks === 0) return done('RECOVERED', 'it responds again');
  return done('LEFT_ALONE', 'it renews its lease; its watchdog ends it when its event loop is blocked');
}

function placeOf(subject: StepContext['job']['subject']): { service: string; host: string } {
  return { service: String(subject.service), host: String(subject.host) };
}

const subjectOf = ({ instanceId, serviceName, serviceType, host }: ServiceEvent) => ({
  instanceId,
  service: serviceName,
  serviceType,
  host,
});

function onEvents(...types: ServiceEvent['type'][]): RecoveryRule['opensFor'] {
  return (event) => (types.includes(event.type) ? subjectOf(event) : null);
}

/** Rules about processes themselves. */
export const instanceRules: readonly RecoveryRule[] = [
  {
    name: 'R3',
    what: 'restart storm (more than 5 starts in 10 minutes): marked as degraded, no automatic restart',
    timeLimitMs: 3_600_000,
    opensFor: onEvents('service.starting'),
    firstPhase: 'judge',
    phases: { judge: judgeStarts, 'cool-down': coolDown },
  },
  {
    name: 'R6',
    what: 'version more than one minor behind the newest: the process gets no work',
    timeLimitMs: 60_000,
    opensFor: onEvents('service.started', 'service.stopped', 'service.lost', 'service.failed'),
    firstPhase: 'judge',
    phases: { judge: judgeVersions },
  },
  {
    name: 'R7',
    what: 'host lost or back: marked while nothing lives on it',
    timeLimitMs: 60_000,
    opensFor: onEvents('service.started', 'service.lost'),
    firstPhase: 'judge',
    phases: { judge: judgeHost },
  },
  {
    name: 'R9',
    what: 'process that renews its lease but responds to no Check: left alone',
    timeLimitMs: 60_000,
    // Coordinators of 0.1 report `service.failed` with the number of Checks.
    opensFor: (event) =>
      event.type === 'service.slow' || (event.type === 'service.failed' && event.doc.checks !== undefined)
        ? subjectOf(event)
        : null,
    firstPhase: 'judge',
    phases: { judge: leaveAlone, 'await-restart': leaveAlone },
  },
];
