import { Alert, Card, CardBody, CardTitle, Grid, GridItem } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import type { RunReport } from '#libs/client';
import { phraseOf, wordsOf } from '#libs/client';
import { Facts } from './facts.tsx';
import { ObjectiveBars } from './objective-bars.tsx';
import { Prose } from './prose.tsx';
import { durationText } from './time.tsx';

/** The report of an audit's run, or of a dry run. */
export function AuditReportView({ report }: { report: RunReport }) {
  const total = Object.values(report.timings_ms).reduce((sum, ms) => sum + ms, 0);
  return (
    <Grid hasGutter>
      {report.empty_because && (
        <GridItem>
          <Alert isInline variant="info" title="Nothing to do">
            <Prose text={report.empty_because} />
          </Alert>
        </GridItem>
      )}
      {!report.model_complete && (
        <GridItem>
          <Alert isInline variant="warning" title="The model of the cloud was incomplete" />
        </GridItem>
      )}
      <GridItem md={6}>
        <Card isFullHeight>
          <CardTitle component="h2">Looked at</CardTitle>
          <CardBody>
            <Facts
              facts={[
                ['Hosts', `${report.hosts.eligible} of ${report.hosts.considered} could be used`],
                ['Instances', `${report.instances.eligible} of ${report.instances.considered} could be moved`],
                ['Age of the model', durationText(report.model_age_seconds)],
                ['Time taken', durationText(total / 1000)],
                ...Object.entries(report.timings_ms).map(
                  ([phase, ms]) => [`· ${phraseOf(phase)}`, durationText(ms / 1000)] as const,
                ),
              ]}
            />
          </CardBody>
        </Card>
      </GridItem>
      <GridItem md={6}>
        <Card isFullHeight>
          <CardTitle component="h2">Kept out by a constraint</CardTitle>
          <CardBody>
            {report.blocked.length === 0 ? (
              <p>Nothing.</p>
            ) : (
              <Facts
                facts={report.blocked.map(({ constraint, count, examples }) => [
                  wordsOf(constraint),
                  `${count} (${examples.slice(0, 3).join(', ')}${count > 3 ? ', …' : ''})`,
                ])}
              />
            )}
          </CardBody>
        </Card>
      </GridItem>
      {report.objective && report.objective.length > 0 && (
        <GridItem>
          <Card>
            <CardTitle component="h2">Objective</CardTitle>
            <CardBody>
              <ObjectiveBars objective={report.objective} />
            </CardBody>
          </Card>
        </GridItem>
      )}
      <GridItem>
        <Card>
          <CardTitle component="h2">Metrics</CardTitle>
          <CardBody>
            {report.metrics.length === 0 ? (
              <p>None were needed.</p>
            ) : (
              <div className="vigil-scroll">
                <MetricTable report={report} />
              </div>
            )}
          </CardBody>
        </Card>
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
    <Table aria-label="Metrics that were read" variant="compact">
      <Thead>
        <Tr>
          <Th>Metric</Th>
          <Th>Of</Th>
          <Th>Over</Th>
          <Th modifier="wrap">Without value</Th>
          <Th>Source</Th>
        </Tr>
      </Thead>
      <Tbody>
        {report.metrics.map((metric) => (
          <Tr key={`${metric.metric}-${metric.resource_type}-${metric.aggregate}`}>
            <Td dataLabel="Metric">{wordsOf(metric.metric)}</Td>
            <Td dataLabel="Of">
              {metric.asked} {metric.resource_type === 'instance' ? 'instances' : 'hosts'}
            </Td>
            <Td dataLabel="Over">
              {metric.aggregate} of {durationText(metric.period_seconds)}
            </Td>
            <Td dataLabel="Without value">{metric.missing}</Td>
            <Td dataLabel="Source">{metric.source ?? '–'}</Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
