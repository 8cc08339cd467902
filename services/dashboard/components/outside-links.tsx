import { useDashboard } from '../live/dashboard-context.tsx';
import { hostLinks, instanceLinks, type OutsideLink } from './outside-links-of.ts';

/** Where Grafana and Horizon show a host, as configured. Nothing without. */
export function HostOutsideLinks({ hostname }: { hostname: string }) {
  return <OutsideLinks links={hostLinks(useDashboard().session.links, hostname)} />;
}

/** Where Grafana and Horizon show an instance, as configured. Nothing without. */
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
