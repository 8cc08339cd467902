import { Label } from '@patternfly/react-core';
import { Loading } from '../../components/states.tsx';
import { useIsComplete, useLiveEntities } from '../../live/use-live.ts';
import { useStreamQuery } from '../../live/use-stream-query.ts';

interface Deployment {
  version: string;
  ready: boolean;
  checks: { name: string; ok: boolean; reason: string | null; duration_ms: number }[];
  outbox: { messages: number; oldest_seconds: number };
}

/** What readiness checks are about; a name that is not here is shown as it is. */
const checkNames: Readonly<Record<string, string>> = {
  identity: 'Keystone token of the service',
  keystone: 'Keystone',
  gate: 'Requests are let in',
  start: 'Start of the API',
  postgresql: 'PostgreSQL',
  store: 'Database schema and queries',
  outbox: 'Messages to the other processes',
  history: 'Metric history',
  bus: 'Message bus',
  rabbitmq: 'RabbitMQ',
  influxdb: 'InfluxDB',
  nova: 'Nova',
  placement: 'Placement',
  cinder: 'Cinder',
};

/** What the API depends on, and the services that have reported. */
export function Health() {
  const deployment = useStreamQuery<Deployment>('deployment', ['service', 'service_instance']);
  const services = useLiveEntities('service');
  const isComplete = useIsComplete();
  if (!isComplete && deployment.isPending) return <Loading what="health" />;
  return (
    <ul className="vigil-rows">
      {deployment.data?.checks.map((check) => (
        <li key={check.name} className="vigil-row-line">
          <Word isGood={check.ok} good="Usable" bad="Not usable" /> {checkNames[check.name] ?? check.name}
          {check.reason && <span className="vigil-subtle">{check.reason}</span>}
        </li>
      ))}
      {[...services]
        .sort((a, b) => a.name.localeCompare(b.name))
        .map((service) => (
          <li key={service.id} className="vigil-row-line">
            <Word isGood={service.status === 'ACTIVE'} good="Up" bad="Down" /> {service.name}
            <span className="vigil-subtle">on {service.host}</span>
          </li>
        ))}
    </ul>
  );
}

function Word({ isGood, good, bad }: { isGood: boolean; good: string; bad: string }) {
  return (
    <Label isCompact color={isGood ? 'green' : 'red'}>
      {isGood ? good : bad}
    </Label>
  );
}
