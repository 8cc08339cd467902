import { Fragment, type ReactNode } from 'react';
import { formOf, type TextKey, type TextValues } from './texts.ts';

/** A text with elements in its gaps, such as a name in bold. `count` selects the plural form. */
export function richText<Key extends TextKey>(key: Key, ...[values]: TextValues<Key, ReactNode>): ReactNode {
  const known = (values ?? {}) as Record<string, ReactNode>;
  const parts = formOf(key, known.count).split(/\{(\w+)\}/);
  // Every second part is the name of a gap.
  return parts.map((part, index) => (
    <Fragment key={`${index}-${part}`}>{index % 2 === 0 ? part : known[part]}</Fragment>
  ));
}
