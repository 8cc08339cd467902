import { useDashboard } from '../live/dashboard-context.tsx';
import { hostLinks, instanceLinks, type OutsideLink } from './outside-links-of.ts';

/** Links to a host in Grafana and Horizon, as configured. Empty without configuration. */
export function HostOutsideLinks({ hostname }: { hostname: string }) {
  return <OutsideLinks links={hostLinks(useDashboard().session.links, hostname)} />;
}

/** Links to an instance in Grafana and Horizon, as configured. Empty without configuration. */
export function InstanceOutsideLinks({ uuid, name }: { uuid: string; name: string }) {
  return <OutsideLinks links={instanceLinks(useDashboard().session.links, { uuid, name })} />;
}

function OutsideLinks({ links }: { links: readonly OutsideLink[] }) {
  if (links.length === 0) return null;
  return (
    <span className="vigil-row-line">
      {links.map(({ title, url }) => (
        <a key={title} href={url} target="_blank" rel="noreferrer">
          {title}
        </a>
      ))}
    </span>
  );
}
