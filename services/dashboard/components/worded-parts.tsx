import {
  type AlertProps,
  Alert as OneAlert,
  Pagination as OnePagination,
  type PaginationProps,
} from '@patternfly/react-core';
import { text } from '../texts/texts.ts';

/** PatternFly's alert with its severity in the language of the page. */
export function Alert({ variant = 'custom', ...props }: AlertProps) {
  return <OneAlert variant={variant} variantLabel={text(`alert.${variant}`)} {...props} />;
}

/** PatternFly's paging with texts and numbers in the language of the page. `label` names it for screen readers. */
export function Pagination({ label, ...props }: Omit<PaginationProps, 'titles' | 'ref'> & { label: string }) {
  return (
    <OnePagination
      {...props}
      titles={{
        paginationAriaLabel: label,
        perPageSuffix: text('paging.perPage'),
        toFirstPageAriaLabel: text('paging.first'),
        toPreviousPageAriaLabel: text('paging.previous'),
        toNextPageAriaLabel: text('paging.next'),
        toLastPageAriaLabel: text('paging.last'),
        currPageAriaLabel: text('paging.current'),
        ofWord: text('paging.of'),
      }}
      toggleTemplate={({ firstIndex = 0, lastIndex = 0, itemCount = 0 }) => (
        <>{text('paging.range', { first: firstIndex, last: lastIndex, total: itemCount })}</>
      )}
    />
  );
}
