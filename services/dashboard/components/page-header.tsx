import { Breadcrumb, BreadcrumbItem, Content, PageSection, Title } from '@patternfly/react-core';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { text } from '../texts/texts.ts';

interface PageHeaderProps {
  title: string;
  /** Beside the title, such as a state. */
  label?: ReactNode;
  /** One sentence. */
  children?: ReactNode;
  /** Pages above this one. */
  above?: { title: string; to: string }[];
  /** Buttons. */
  actions?: ReactNode;
}

/** Title of a page, which is also the title of the browser's tab. */
export function PageHeader({ title, label, children, above, actions }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} · Vigil`;
  }, [title]);
  return (
    <PageSection hasBodyWrapper={false}>
      {above && (
        <Breadcrumb className="vigil-breadcrumb" aria-label={text('shell.breadcrumb')}>
          {above.map((page) => (
            <BreadcrumbItem
              key={page.to}
              render={(props) => (
                <Link className={props.className} to={page.to}>
                  {page.title}
                </Link>
              )}
            />
          ))}
          <BreadcrumbItem isActive>{title}</BreadcrumbItem>
        </Breadcrumb>
      )}
      <div className="vigil-header">
        <div className="vigil-title">
          <Title headingLevel="h1">{title}</Title>
          {label && <span data-testid="page-state">{label}</span>}
        </div>
        {actions && <div className="vigil-header-actions">{actions}</div>}
        {children && <Content component="p">{children}</Content>}
      </div>
    </PageSection>
  );
}
