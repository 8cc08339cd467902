import { Alert, Card, CardBody, CardTitle, Grid, GridItem } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { wordsOf } from './efficacy.tsx';
import { durationText } from './time.tsx';

/** What a run has looked at, as the API reports it. */
export interface Report {
  strategy: string;
  hosts: { considered: number; eligible: number };
  instances: { considered: number; eligible: number };
  blocked: { constraint: string; count: number; examples: string[] }[];
  metrics: {
    metric: string;
    resource_type: string;
    aggregate: string;
    period_seconds: number;
    asked: number;
    missing: number;
    source?: string | null;
  }[];
  model_age_seconds: number;
  model_complete: boolean;
  empty_because: string | null;
  notes: string[];
  timings_ms: Record<string, number>;
}

/** The report of an audit's run, or of a dry run. */
export function AuditReportView({ report }: { report: Report }) {
  const total = Object.values(report.timings_ms ?? {}).reduce((sum, ms) => sum + ms, 0);
  return (
    <Grid hasGutter>
      {report.empty_because && (
        <GridItem>
          <Alert isInline variant="info" title="Nothing to do">
            {report.empty_because}
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
            <dl className="vigil-facts">
              <Fact name="Hosts" value={`${report.hosts.eligible} of ${report.hosts.considered} could be used`} />
              <Fact
                name="Instances"
                value={`${report.instances.eligible} of ${report.instances.considered} could be moved`}
              />
              <Fact name="Age of the model" value={durationText(report.model_age_seconds)} />
              <Fact name="Time taken" value={durationText(total / 1000)} />
              {Object.entries(report.timings_ms ?? {}).map(([phase, ms]) => (
                <Fact key={phase} name={`· ${wordsOf(phase).toLowerCase()}`} value={durationText(ms / 1000)} />
              ))}
            </dl>
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
              <dl className="vigil-facts">
                {report.blocked.map((entry) => (
                  <Fact
                    key={entry.constraint}
                    name={wordsOf(entry.constraint)}
                    value={`${entry.count} (${entry.examples.slice(0, 3).join(', ')}${entry.count > 3 ? ', …' : ''})`}
                  />
                ))}
              </dl>
            )}
          </CardBody>
        </Card>
      </GridItem>
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
          <Alert isInline isPlain variant="info" title={note} />
        </GridItem>
      ))}
    </Grid>
  );
}

function MetricTable({ report }: { report: Report }) {
  return (
    <Table aria-label="Metrics that were read" variant="compact">
      <Thead>
        <Tr>
          <Th>Metric</Th>
          <Th>Of</Th>
          <Th>Over</Th>
          <Th>Without value</Th>
          <Th>Source</Th>
        </Tr>
      </Thead>
      <Tbody>
        {report.metrics.map((metric) => (
          <Tr key={`${metric.metric}-${metric.resource_type}-${metric.aggregate}`}>
            <Td dataLabel="Metric">{metric.metric}</Td>
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

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
