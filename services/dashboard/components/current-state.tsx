import { GridItem } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import type { ShownProperty } from '../live/use-property.ts';
import { text } from '../texts/texts.ts';
import { errorWords } from './error-words.ts';
import { Facts } from './facts.tsx';
import { durationText } from './time.tsx';
import { TitledCard } from './titled-card.tsx';

/** A property with its title. `render` returns null for a value without meaning for the reader. */
export interface CurrentFact {
  name: string;
  title: string;
  property: ShownProperty<unknown> | null;
  render: (value: never) => ReactNode;
}

/**
 * A section of a grid with values from the cloud, each with its age when a newer one cannot be read. Nothing without
 * any of them.
 */
export function CurrentState({ facts }: { facts: readonly CurrentFact[] }) {
  const known = facts.flatMap(({ name, title, property, render }) => {
    if (property === null) return [];
    const value = property.value === null ? null : render(property.value as never);
    if (value === null && property.problem === null) return [];
    return [[title, <CurrentValue key={name} name={name} value={value} property={property} />] as const];
  });
  if (known.length === 0) return null;
  return (
    <GridItem>
      <TitledCard title={text('now.title')}>
        <Facts facts={known} />
      </TitledCard>
    </GridItem>
  );
}

interface CurrentValueProps {
  name: string;
  value: ReactNode;
  property: ShownProperty<unknown>;
}

function CurrentValue({ name, value, property: { ageSeconds, problem } }: CurrentValueProps) {
  return (
    <span data-testid={`present-${name}`}>
      {value}
      {problem !== null && (
        <span className="vigil-subtle">
          {' '}
          {ageSeconds === null
            ? text('now.unknown', { reason: errorWords(problem) })
            : text('now.old', { age: durationText(ageSeconds), reason: errorWords(problem) })}
        </span>
      )}
    </span>
  );
}
