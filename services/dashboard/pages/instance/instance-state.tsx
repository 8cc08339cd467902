import { type CurrentFact, CurrentState } from '../../components/current-state.tsx';
import { HostLink } from '../../components/links.tsx';
import { wholePercent } from '../../components/number-text.ts';
import { StateLabel } from '../../components/state-label.tsx';
import { useProperty } from '../../live/use-property.ts';
import { phraseOf } from '../../texts/api-names.ts';
import { text } from '../../texts/texts.ts';

interface ServerState {
  status: string;
  task_state: string | null;
  power_state: number;
  host: string | null;
}

interface Migration {
  dest_host: string | null;
  percent: number | null;
}

/** Nova's power states of a guest. Others are unknown. */
const guestPower = () =>
  new Map([
    [1, text('now.running')],
    [3, text('now.paused')],
    [4, text('now.shutDown')],
    [6, text('now.crashed')],
    [7, text('now.suspended')],
  ]);

/** State, power, host and running live migration of an instance as Nova reports them now. */
export function InstanceState({ uuid }: { uuid: string }) {
  const state = useProperty<ServerState>('server', uuid, 'state');
  const facts: CurrentFact[] = [
    {
      name: 'status',
      title: text('column.state'),
      property: state,
      render: (server: ServerState) => <Status {...server} />,
    },
    {
      name: 'power',
      title: text('now.power'),
      property: withoutProblem(state),
      render: ({ power_state: power }: ServerState) => guestPower().get(power) ?? text('now.noPower'),
    },
    {
      name: 'host',
      title: text('column.host'),
      property: withoutProblem(state),
      render: ({ host }: ServerState) => (host === null ? '–' : <HostLink hostname={host} />),
    },
    {
      name: 'migration',
      title: text('now.migration'),
      property: useProperty<Migration>('server', uuid, 'migration'),
      render: migrationText,
    },
  ];
  return <CurrentState facts={facts} />;
}

/** The problem of a property is shown once. */
function withoutProblem<Property extends { problem: string | null }>(property: Property | null): Property | null {
  return property && { ...property, problem: null };
}

function Status({ status, task_state: task }: ServerState) {
  return (
    <>
      <StateLabel state={status.toLowerCase()} /> {task && phraseOf(task)}
    </>
  );
}

function migrationText({ dest_host: host, percent }: Migration): string {
  const target = host ?? text('common.chosenByNova');
  return percent === null ? target : text('now.migrationOf', { host: target, percent: wholePercent(percent) });
}
