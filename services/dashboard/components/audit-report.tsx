import { Grid, GridItem } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import type { RunReport } from '#libs/client';
import { constraintLabel, phraseOf, wordsOf } from '../texts/api-names.ts';
import { text } from '../texts/texts.ts';
import { Facts } from './facts.tsx';
import { ObjectiveBars } from './objective-bars.tsx';
import { Prose } from './prose.tsx';
import { durationText } from './time.tsx';
import { TitledCard } from './titled-card.tsx';
import { Alert } from './worded-parts.tsx';

/** The report of an audit's run, or of a dry run. */
export function AuditReportView({ report }: { report: RunReport }) {
  const total = Object.values(report.timings_ms).reduce((sum, ms) => sum + ms, 0);
  return (
    <Grid hasGutter>
      {report.empty_because && (
        <GridItem>
          <Alert isInline variant="info" title={text('report.nothing')}>
            <Prose text={report.empty_because} />
          </Alert>
        </GridItem>
      )}
      {!report.model_complete && (
        <GridItem>
          <Alert isInline variant="warning" title={text('report.incomplete')} />
        </GridItem>
      )}
      <GridItem md={6}>
        <TitledCard isFullHeight title={text('report.analyzed')}>
          <Facts
            facts={[
              [
                text('column.hosts'),
                text('report.hosts', { part: report.hosts.eligible, whole: report.hosts.considered }),
              ],
              [
                text('column.instances'),
                text('report.instances', { part: report.instances.eligible, whole: report.instances.considered }),
              ],
              [text('report.age'), durationText(report.model_age_seconds)],
              [text('report.duration'), durationText(total / 1000)],
              ...Object.entries(report.timings_ms).map(
                ([phase, ms]) => [`· ${phraseOf(phase)}`, durationText(ms / 1000)] as const,
              ),
            ]}
          />
        </TitledCard>
      </GridItem>
      <GridItem md={6}>
        <TitledCard isFullHeight title={text('report.blocked')}>
          {report.blocked.length === 0 ? (
            <p>{text('report.none')}</p>
          ) : (
            <Facts
              facts={report.blocked.map(({ constraint, count, examples }) => [
                constraintLabel(constraint),
                `${count} (${examples.slice(0, 3).join(', ')}${count > 3 ? ', …' : ''})`,
              ])}
            />
          )}
        </TitledCard>
      </GridItem>
      {report.objective && report.objective.length > 0 && (
        <GridItem>
          <TitledCard title={text('report.objective')}>
            <ObjectiveBars objective={report.objective} />
          </TitledCard>
        </GridItem>
      )}
      <GridItem>
        <TitledCard title={text('report.metrics')}>
          {report.metrics.length === 0 ? (
            <p>{text('report.noMetrics')}</p>
          ) : (
            <div className="vigil-scroll" data-testid="table-box">
              <MetricTable report={report} />
            </div>
          )}
        </TitledCard>
      </GridItem>
      {report.notes?.map((note) => (
        <GridItem key={note}>
          <Alert isInline isPlain variant="info" title={<Prose text={note} />} />
        </GridItem>
      ))}
    </Grid>
  );
}

function MetricTable({ report }: { report: RunReport }) {
  return (
    <Table aria-label={text('report.metricsRead')} variant="compact">
      <Thead>
        <Tr>
          <Th>{text('report.metric')}</Th>
          <Th>{text('report.resources')}</Th>
          <Th>{text('report.period')}</Th>
          <Th modifier="wrap" className="vigil-number">
            {text('report.missing')}
          </Th>
          <Th>{text('report.source')}</Th>
        </Tr>
      </Thead>
      <Tbody>
        {report.metrics.map((metric) => (
          <Tr key={`${metric.metric}-${metric.aggregate}-${metric.period_seconds}-${metric.source}`}>
            <Td dataLabel={text('report.metric')}>{wordsOf(metric.metric)}</Td>
            <Td dataLabel={text('report.resources')}>
              {text(metric.resource_type === 'instance' ? 'report.ofInstances' : 'report.ofHosts', {
                count: metric.asked,
              })}
            </Td>
            <Td dataLabel={text('report.period')}>
              {text('report.overTime', {
                aggregate: phraseOf(metric.aggregate),
                time: durationText(metric.period_seconds),
              })}
            </Td>
            <Td dataLabel={text('report.missing')} className="vigil-number">
              {metric.missing}
            </Td>
            <Td dataLabel={text('report.source')}>{metric.source ?? '–'}</Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
