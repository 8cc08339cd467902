import type { AuditTemplateView } from '#libs/store';
import { objectLinks } from '../http/request/links.ts';
import { timestampsOf } from '../http/watcher-text/timestamps.ts';
import { goalOf, strategyOf } from './references.ts';
import type { Extent, ViewContext } from './view-context.ts';

/** First minor version that shows `default_parameters`. */
const defaultParametersMinor = 7;

/** An audit template as the API shows it. */
export function auditTemplateBody(template: AuditTemplateView, extent: Extent, context: ViewContext): object {
  const { host, minor } = context;
  return {
    uuid: template.uuid,
    name: template.name,
    ...goalOf(template, context),
    ...strategyOf(template, context),
    scope: template.scope,
    ...(extent === 'full' ? { description: template.description, ...timestampsOf(template) } : {}),
    ...(extent === 'full' && minor >= defaultParametersMinor ? { default_parameters: template.defaultParameters } : {}),
    links: objectLinks(host, 'audit_templates', template.uuid),
  };
}
