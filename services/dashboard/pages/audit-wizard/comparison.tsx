import { Button, Content, Title } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import type { AuditComparison, Strategy } from '#libs/client';
import { gibText } from '../../components/number-text.ts';
import { Prose } from '../../components/prose.tsx';
import { textOf } from '../../components/states.tsx';
import { Alert } from '../../components/worded-parts.tsx';
import { displayNameOf } from '../../texts/api-names.ts';
import { text } from '../../texts/texts.ts';
import { changeText, compared, goalText } from './comparison-rows.ts';

interface ComparisonProps {
  results: AuditComparison['results'];
  strategies: readonly Strategy[];
  /** Uuid of the selected strategy. */
  chosen: string;
  /** Selects another one. */
  onUse: (strategy: Strategy) => void;
}

/** Comparison of the goal's strategies on the current cloud, and the selection of one. */
export function Comparison({ results, strategies, chosen, onUse }: ComparisonProps) {
  return (
    <section aria-label={text('compare.label')} className="vigil-preview">
      <Title headingLevel="h3">{text('compare.title')}</Title>
      <Alert isInline isPlain variant="info" title={text('compare.hint')} />
      <div className="vigil-scroll vigil-compared" data-testid="table-box">
        <Table aria-label={text('compare.table')} variant="compact">
          <Thead>
            <Tr>
              <Th modifier="wrap" className="vigil-number">
                {text('compare.load')}
              </Th>
              <Th modifier="wrap" className="vigil-number">
                {text('compare.vcpus')}
              </Th>
              <Th modifier="wrap" className="vigil-number">
                {text('compare.memory')}
              </Th>
              <Th modifier="wrap" className="vigil-number">
                {text('compare.inUse')}
              </Th>
              <Th modifier="wrap" className="vigil-number">
                {text('compare.fullest')}
              </Th>
              <Th className="vigil-number">{text('compare.moves')}</Th>
              <Th modifier="wrap" className="vigil-number">
                {text('compare.memoryCopied')}
              </Th>
            </Tr>
          </Thead>
          {results.map((result) => (
            <Tbody key={result.strategy}>
              <ResultRows
                result={result}
                strategy={strategies.find(({ uuid, name }) => uuid === result.strategy || name === result.strategy)}
                chosen={chosen}
                onUse={onUse}
              />
            </Tbody>
          ))}
        </Table>
      </div>
    </section>
  );
}

interface ResultRowProps extends Pick<ComparisonProps, 'chosen' | 'onUse'> {
  result: AuditComparison['results'][number];
  strategy: Strategy | undefined;
}

/** Name of the strategy above its numbers, which then have the width of all columns. */
function ResultRows({ result, strategy, chosen, onUse }: ResultRowProps) {
  const { preview, error } = result;
  const name = strategy ? displayNameOf('strategy', strategy) : result.strategy;
  const button =
    strategy &&
    (strategy.uuid === chosen ? (
      text('compare.chosen')
    ) : (
      <Button
        variant="secondary"
        size="sm"
        onClick={() => onUse(strategy)}
        aria-label={text('compare.useOne', { name })}
      >
        {text('compare.useThis')}
      </Button>
    ));
  const head = (
    <Tr>
      <Th colSpan={7} scope="rowgroup">
        <span className="vigil-compared-name">
          <strong>{name}</strong> {button}
        </span>
      </Th>
    </Tr>
  );
  const because = preview ? preview.report.empty_because : textOf(new Error(error?.message ?? text('compare.failed')));
  if (!preview || because)
    return (
      <>
        {head}
        <Tr>
          <Td colSpan={7}>
            <Content component="small">
              {preview ? text('compare.nothing') : text('compare.unusable')} <Prose text={because ?? ''} />
            </Content>
          </Td>
        </Tr>
      </>
    );
  const plan = compared(preview);
  return (
    <>
      {head}
      <Tr>
        <Td dataLabel={text('compare.load')} className="vigil-number">
          {goalText(preview) ?? '–'}
        </Td>
        <Td dataLabel={text('compare.vcpus')} className="vigil-number">
          {changeText(plan.vcpus)}
        </Td>
        <Td dataLabel={text('compare.memory')} className="vigil-number">
          {changeText(plan.memory)}
        </Td>
        <Td dataLabel={text('compare.inUse')} className="vigil-number">
          {changeText(plan.inUse, String)}
        </Td>
        <Td dataLabel={text('compare.fullest')} className="vigil-number">
          {changeText(plan.fullest)}
        </Td>
        <Td dataLabel={text('compare.moves')} className="vigil-number">
          {plan.moves}
        </Td>
        <Td dataLabel={text('compare.memoryCopied')} className="vigil-number">
          {gibText(plan.gib * 1024)}
        </Td>
      </Tr>
    </>
  );
}
