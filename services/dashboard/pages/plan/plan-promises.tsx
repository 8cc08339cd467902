import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import type { JudgedPromise } from '#libs/client';
import { promiseRange, promiseValue } from '../../components/promise-words.ts';
import { Prose } from '../../components/prose.tsx';
import { TitledCard } from '../../components/titled-card.tsx';
import { text } from '../../texts/texts.ts';

/** The promised ranges of a plan, the achieved values, and the verdict on each promise. Hidden without promises. */
export function PlanPromises({ promises }: { promises: readonly JudgedPromise[] | undefined }) {
  if (promises === undefined || promises.length === 0) return null;
  return (
    <TitledCard title={text('promise.title')}>
      <div className="vigil-scroll" data-testid="table-box">
        <Table aria-label={text('promise.title')} variant="compact">
          <Thead>
            <Tr>
              <Th>{text('outcome.measure')}</Th>
              <Th modifier="wrap" className="vigil-number">
                {text('promise.range')}
              </Th>
              <Th modifier="wrap" className="vigil-number">
                {text('outcome.achieved')}
              </Th>
              <Th modifier="wrap">{text('promise.verdict')}</Th>
            </Tr>
          </Thead>
          <Tbody>
            {promises.map((promise) => (
              <Tr key={promise.quantity}>
                <Td dataLabel={text('outcome.measure')}>{text(`promise.${promise.quantity}`)}</Td>
                <Td dataLabel={text('promise.range')} className="vigil-number">
                  {promiseRange(promise)}
                </Td>
                <Td dataLabel={text('outcome.achieved')} className="vigil-number">
                  {promiseValue(promise.quantity, promise.achieved)}
                </Td>
                <Td dataLabel={text('promise.verdict')}>
                  <strong>{text(`promise.verdict.${promise.verdict}`)}</strong>
                  {promise.reason !== null && (
                    <>
                      {': '}
                      <Prose text={promise.reason} />
                    </>
                  )}
                </Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      </div>
    </TitledCard>
  );
}
