import { Link } from 'react-router';
import { useLiveEntity } from '../live/use-live.ts';
import { text } from '../texts/texts.ts';

/** Names up to this length do not wrap after a hyphen. Lists cut longer ones, such as generated names. */
const wholeLength = 16;

/** A link to an audit by name. `name` if known. */
export function AuditLink({ uuid, name }: { uuid: string | null; name?: string | null }) {
  const audit = useLiveEntity('audit', uuid ?? '');
  if (!uuid) return <>–</>;
  const shown = name ?? audit?.name ?? shortId(uuid);
  return (
    <Link
      to={`/audits/${uuid}`}
      {...(shown.length <= wholeLength ? { className: 'vigil-whole' } : { className: 'vigil-long', title: shown })}
    >
      {shown}
    </Link>
  );
}

/** A link to a plan by the start of its uuid, with the plan that it rolls back. `undone` if known. */
export function PlanLink({ uuid, undone: known }: { uuid: string; undone?: string | null }) {
  const live = useLiveEntity('action_plan', uuid);
  const undone = known ?? live?.outcome?.rolls_back;
  return (
    <span>
      <Link to={`/plans/${uuid}`}>{shortId(uuid)}</Link>
      {undone && <span className="vigil-subtle"> {text('common.rollsBack', { plan: shortId(undone) })}</span>}
    </span>
  );
}

/** A link to a host by its name. */
export function HostLink({ hostname }: { hostname: string }) {
  return <Link to={`/cluster/hosts/${encodeURIComponent(hostname)}`}>{hostname}</Link>;
}

/** A link to an instance by its name. Null: only its uuid is known. */
export function InstanceLink({ uuid, name }: { uuid: string; name: string | null }) {
  return <Link to={`/cluster/instances/${encodeURIComponent(uuid)}`}>{name ?? shortId(uuid)}</Link>;
}

/** The first part of a uuid. */
export function shortId(uuid: string): string {
  return uuid.slice(0, 8);
}
