import { Button, Label } from '@patternfly/react-core';
import { useState } from 'react';
import type { Deployment, ServiceList } from '../../api/internal-types.ts';
import { StateLabel } from '../../components/state-label.tsx';
import { Failure, Loading } from '../../components/states.tsx';
import { useIsComplete, useLiveEntities } from '../../live/use-live.ts';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { text } from '../../texts/texts.ts';
import { checkName } from './check-name.ts';

/** States without a problem. */
const wellStates = new Set(['RUNNING', 'ACTIVE', 'UP']);

/** Dependencies of the API, and the registered services. */
export function Health() {
  const deployment = useStreamQuery<Deployment>('deployment', ['service', 'service_instance']);
  const services = useLiveEntities('service');
  const isComplete = useIsComplete();
  const [chosen, setChosen] = useState<boolean | null>(null);
  const processes = useStreamQuery<ServiceList>('services', ['service_instance']);
  // Users without permission for processes get Watcher's services.
  const rows =
    processes.data?.services.map(({ name, host, status, degraded }) => ({
      name,
      host,
      state: degraded ? 'Degraded' : status,
    })) ?? services.map(({ name, host, status }) => ({ name, host, state: status }));
  // Problems first.
  const checks = (deployment.data?.checks ?? []).toSorted((a, b) => Number(a.ok) - Number(b.ok));
  if (deployment.isLoading || processes.isLoading || !isComplete) return <Loading what={text('overview.health')} />;
  if (deployment.isError && !deployment.data)
    return (
      <Failure
        title={text('overview.healthUnreadable')}
        error={deployment.error}
        onRetry={() => void deployment.refetch()}
      />
    );
  const isWell = checks.every(({ ok }) => ok) && rows.every(({ state }) => wellStates.has(state.toUpperCase()));
  const count = checks.length + rows.length;
  const isOpen = chosen ?? !isWell;
  return (
    <>
      <Button variant="link" isInline aria-expanded={isOpen} onClick={() => setChosen(!isOpen)}>
        {isWell ? text('overview.allHealthy', { count }) : text('overview.parts', { count })}
      </Button>
      {isOpen && <Parts checks={checks} rows={rows} />}
    </>
  );
}

interface PartsProps {
  checks: Deployment['checks'];
  rows: readonly { name: string; host: string; state: string }[];
}

function Parts({ checks, rows }: PartsProps) {
  return (
    <ul className="vigil-rows vigil-parts">
      {checks.map((check) => (
        <li key={check.name} className="vigil-row-line">
          <Word isGood={check.ok} good={text('overview.usable')} bad={text('overview.unusable')} />{' '}
          {checkName(check.name)}
          {check.reason && <span className="vigil-subtle">{check.reason}</span>}
        </li>
      ))}
      {rows
        .toSorted((a, b) => a.name.localeCompare(b.name) || a.host.localeCompare(b.host))
        .map((service) => (
          <li key={`${service.name}@${service.host}`} className="vigil-row-line">
            <StateLabel state={service.state} /> {service.name}
            <span className="vigil-subtle">{text('overview.onHost', { host: service.host })}</span>
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
