import { GridItem } from '@patternfly/react-core';
import type { ClusterPast } from '#libs/client';
import { Prose } from '../../components/prose.tsx';
import { Alert } from '../../components/worded-parts.tsx';
import { richText } from '../../texts/rich-text.tsx';
import { text } from '../../texts/texts.ts';

/** Unknown instances and loads of the moment, with their numbers if known. */
export function UnknownParts({ past: { instances, load, gaps } }: { past: ClusterPast }) {
  const counted = [
    ['past.createdSince', instances.created_since],
    ['past.deletedSince', instances.deleted_since],
    ['past.resizedSince', instances.resized_since],
    ['past.hostGone', instances.host_gone],
    ['past.withoutHost', instances.without_host],
  ] as const;
  const notes = [
    ...counted.flatMap(([key, count]) => (count > 0 ? [text(key, { count })] : [])),
    ...(instances.deleted_since === 0 ? [text('past.deletedUnknown')] : []),
  ];
  return (
    <GridItem>
      <Alert isInline variant={load.error === null ? 'info' : 'warning'} title={text('past.partly')}>
        {load.error !== null && <p>{richText('past.noLoads', { reason: <Prose text={load.error} /> })}</p>}
        {notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
        {gaps.map((gap) => (
          <p key={gap}>
            <Prose text={gap} />
          </p>
        ))}
      </Alert>
    </GridItem>
  );
}
