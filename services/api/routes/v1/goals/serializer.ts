import type { Goal } from '#libs/domain';
import type { Extent, ViewContext } from '../../../collections/register-collection.ts';
import { objectLinks } from '../../../http/links.ts';
import { timestampsOf } from '../../../http/timestamps.ts';

/** A goal as the API shows it. */
export function goalBody(goal: Goal, extent: Extent, { host }: ViewContext): object {
  return {
    uuid: goal.uuid,
    name: goal.name,
    display_name: goal.displayName,
    efficacy_specification: goal.efficacySpecification,
    links: objectLinks(host, 'goals', goal.uuid),
    ...(extent === 'full' ? timestampsOf(goal) : {}),
  };
}
