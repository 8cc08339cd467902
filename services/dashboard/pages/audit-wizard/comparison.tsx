import { Alert, Button, Content, Title } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import type { AuditComparison, Strategy } from '#libs/client';
import { Prose } from '../../components/prose.tsx';
import { textOf } from '../../components/states.tsx';
import { changeText, compared, goalText } from './comparison-rows.ts';

interface ComparisonProps {
  results: AuditComparison['results'];
  strategies: readonly Strategy[];
  /** Uuid of the strategy that the audit has now. */
  chosen: string;
  /** Takes another one. */
  onUse: (strategy: Strategy) => void;
}

/** What the strategies of a goal would do with the cloud as it is now, measured alike, and which one is to be used. */
export function Comparison({ results, strategies, chosen, onUse }: ComparisonProps) {
  return (
    <section aria-label="Comparison of strategies" className="vigil-preview">
      <Title headingLevel="h3">Comparison</Title>
      <Alert
        isInline
        isPlain
        variant="info"
        title="The chosen strategy with its parameters, the others with their defaults, on the same picture of the cloud."
      />
      <div className="vigil-scroll">
        <Table aria-label="Strategies compared" variant="compact">
          <Thead>
            <Tr>
              <Th>Strategy</Th>
              <Th modifier="wrap">Deviation of load</Th>
              <Th modifier="wrap">Deviation of vCPUs</Th>
              <Th modifier="wrap">Deviation of memory</Th>
              <Th modifier="wrap">Hosts in use</Th>
              <Th modifier="wrap">Fullest host</Th>
              <Th>Moves</Th>
              <Th modifier="wrap">Memory, at least</Th>
              <Th screenReaderText="Use" />
            </Tr>
          </Thead>
          <Tbody>
            {results.map((result) => (
              <ResultRow
                key={result.strategy}
                result={result}
                strategy={strategies.find(({ uuid, name }) => uuid === result.strategy || name === result.strategy)}
                chosen={chosen}
                onUse={onUse}
              />
            ))}
          </Tbody>
        </Table>
      </div>
    </section>
  );
}

interface ResultRowProps extends Pick<ComparisonProps, 'chosen' | 'onUse'> {
  result: AuditComparison['results'][number];
  strategy: Strategy | undefined;
}

function ResultRow({ result, strategy, chosen, onUse }: ResultRowProps) {
  const { preview, error } = result;
  const name = strategy?.display_name ?? result.strategy;
  const button =
    strategy &&
    (strategy.uuid === chosen ? (
      'chosen'
    ) : (
      <Button variant="secondary" size="sm" onClick={() => onUse(strategy)} aria-label={`Use ${name}`}>
        Use this one
      </Button>
    ));
  const because = preview ? preview.report.empty_because : textOf(new Error(error?.message ?? 'It failed.'));
  if (!preview || because)
    return (
      <Tr>
        <Td dataLabel="Strategy">{name}</Td>
        <Td colSpan={7}>
          <Content component="small">
            {preview ? 'Nothing to propose: ' : 'Not usable now: '}
            <Prose text={because ?? ''} />
          </Content>
        </Td>
        <Td>{button}</Td>
      </Tr>
    );
  const plan = compared(preview);
  return (
    <Tr>
      <Td dataLabel="Strategy">{name}</Td>
      <Td dataLabel="Deviation of load">{goalText(preview) ?? '–'}</Td>
      <Td dataLabel="Deviation of vCPUs">{changeText(plan.vcpus)}</Td>
      <Td dataLabel="Deviation of memory">{changeText(plan.memory)}</Td>
      <Td dataLabel="Hosts in use">{changeText(plan.inUse, String)}</Td>
      <Td dataLabel="Fullest host">{changeText(plan.fullest)}</Td>
      <Td dataLabel="Moves">{plan.moves}</Td>
      <Td dataLabel="Memory, at least">{plan.gib.toFixed(1)} GiB</Td>
      <Td>{button}</Td>
    </Tr>
  );
}
