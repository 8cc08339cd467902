import { type CurrentFact, CurrentState } from '../../components/current-state.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { useProperty } from '../../live/use-property.ts';
import { text } from '../../texts/texts.ts';

interface ServiceState {
  state: string;
  status: string;
  disabled_reason: string | null;
}

interface HypervisorFacts {
  type: string;
  version: number | null;
  architecture: string | null;
  cpu_model: string | null;
}

interface Power {
  power_state: string | null;
  target_power_state: string | null;
  maintenance: boolean;
  maintenance_reason: string | null;
  last_error: string | null;
}

/** Compute service, power and hypervisor of a host as the cloud reports them now. */
export function HostState({ hostname }: { hostname: string }) {
  const facts: CurrentFact[] = [
    {
      name: 'service',
      title: text('now.service'),
      property: useProperty<ServiceState>('host', hostname, 'state'),
      render: (service: ServiceState) => <Service {...service} />,
    },
    {
      name: 'power',
      title: text('now.power'),
      property: useProperty<Power>('host', hostname, 'power'),
      render: powerText,
    },
    {
      name: 'hypervisor',
      title: text('now.hypervisor'),
      property: useProperty<HypervisorFacts>('host', hostname, 'hypervisor'),
      render: (facts: HypervisorFacts) => <span data-literal>{hypervisorText(facts)}</span>,
    },
  ];
  return <CurrentState facts={facts} />;
}

function Service({ state, status, disabled_reason: reason }: ServiceState) {
  return (
    <>
      <StateLabel state={state} /> <StateLabel state={status} /> {reason}
    </>
  );
}

function powerText(power: Power): string {
  const parts = [
    power.power_state ?? text('now.noPower'),
    power.target_power_state && text('now.powerTarget', { target: power.target_power_state }),
    power.maintenance && text('now.maintenance', { reason: power.maintenance_reason ?? '–' }),
    power.last_error && text('now.powerError', { reason: power.last_error }),
  ];
  return parts.filter(Boolean).join('; ');
}

/** Such as `QEMU 8.2.2, x86_64, Skylake-Server`. */
function hypervisorText({ type, version, architecture, cpu_model: model }: HypervisorFacts): string {
  const named = version === null ? type : `${type} ${versionText(version)}`;
  return [named, architecture, model].filter(Boolean).join(', ');
}

/** libvirt's drivers count a version as 1,000,000 × major + 1,000 × minor + patch. Others use small numbers. */
function versionText(version: number): string {
  if (version < 1_000_000) return String(version);
  const parts = [Math.floor(version / 1_000_000), Math.floor(version / 1000) % 1000, version % 1000];
  return parts.join('.');
}
