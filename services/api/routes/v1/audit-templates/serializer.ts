import type { AuditTemplateView } from '#libs/store';
import type { References } from '../../../collections/references.ts';
import type { Extent, ViewContext } from '../../../collections/register-collection.ts';
import { objectLinks } from '../../../http/links.ts';
import { timestampsOf } from '../../../http/timestamps.ts';

/** First minor version that shows `default_parameters`. */
const defaultParametersMinor = 7;

/** An audit template as the API shows it. */
export function auditTemplateBody(
  template: AuditTemplateView,
  references: References,
  extent: Extent,
  { host, minor }: ViewContext,
): object {
  return {
    uuid: template.uuid,
    name: template.name,
    ...references.goalOf(template),
    ...references.strategyOf(template),
    scope: template.scope,
    ...(extent === 'full' ? { description: template.description, ...timestampsOf(template) } : {}),
    ...(extent === 'full' && minor >= defaultParametersMinor ? { default_parameters: template.defaultParameters } : {}),
    links: objectLinks(host, 'audit_templates', template.uuid),
  };
}
