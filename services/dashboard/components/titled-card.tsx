import { Card, CardBody, CardHeader, CardTitle } from '@patternfly/react-core';
import type { ReactNode } from 'react';

interface TitledCardProps {
  /** The heading, one level below that of the page. */
  title: string;
  /** Beside the title, such as a link to all entries. */
  more?: ReactNode;
  /** As high as the highest card of its row. Default: as high as its content. */
  isFullHeight?: boolean;
  /** Its content, in the body of the card. */
  children: ReactNode;
}

/**
 * A section of a page below its own heading. The heading is an `h2` on every page, so that screen readers list the
 * sections below the title.
 */
export function TitledCard({ title, more, isFullHeight = false, children }: TitledCardProps) {
  const heading = <CardTitle component="h2">{title}</CardTitle>;
  return (
    <Card isFullHeight={isFullHeight}>
      {more ? <CardHeader actions={{ actions: more, hasNoOffset: true }}>{heading}</CardHeader> : heading}
      <CardBody>{children}</CardBody>
    </Card>
  );
}
